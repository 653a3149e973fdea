import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { ComponentType, useState } from 'react';
import { FixtureGpuApi } from '../../dev/fixtures';
import { renderPage } from './renderPage';

/** Renders a field in a form that keeps its value, as the Scaffolder's stepper does. */
export function renderField(
  Field: ComponentType<FieldExtensionComponentProps<any, any>>,
  api: FixtureGpuApi,
  options: {
    name: string;
    formData?: Record<string, unknown>;
    props?: Partial<FieldExtensionComponentProps<any, any>>;
  },
) {
  const onChange = jest.fn();
  function Form() {
    const [formData, setFormData] = useState(options.formData ?? {});
    return (
      <Field
        {...({
          schema: {},
          uiSchema: {},
          idSchema: { $id: `root_${options.name}` },
          disabled: false,
          readonly: false,
          rawErrors: [],
          ...options.props,
        } as any)}
        name={options.name}
        formData={formData[options.name]}
        formContext={{ formData }}
        onChange={(value: unknown) => {
          onChange(value);
          setFormData(current => ({ ...current, [options.name]: value }));
        }}
      />
    );
  }
  renderPage(<Form />, api);
  return onChange;
}
