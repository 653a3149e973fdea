/** Whether a field may be changed, from what the form library and the template say. */
export function isLocked(props: {
  disabled?: boolean;
  readonly?: boolean;
  uiSchema?: Record<string, any>;
}): boolean {
  return Boolean(
    props.disabled ||
      props.readonly ||
      props.uiSchema?.['ui:disabled'] ||
      props.uiSchema?.['ui:readonly'],
  );
}
