import { stringify } from 'yaml';
import { Person, people } from './people';
import { departments, quietTeam, teams } from './teams';

interface Entity {
  apiVersion: 'backstage.io/v1alpha1';
  kind: string;
  metadata: {
    name: string;
    title?: string;
    description?: string;
    annotations?: Record<string, string>;
    tags?: string[];
  };
  spec: Record<string, unknown>;
}

function entity(
  kind: string,
  metadata: Entity['metadata'],
  spec: Entity['spec'],
): Entity {
  return { apiVersion: 'backstage.io/v1alpha1', kind, metadata, spec };
}

function group(
  name: string,
  type: string,
  title: string,
  parent?: string,
): Entity {
  return entity(
    'Group',
    { name, title },
    {
      type,
      profile: { displayName: title },
      ...(parent && { parent }),
      children: [],
    },
  );
}

function user({ login, name, email, title, groups }: Person): Entity {
  return entity(
    'User',
    { name: login, title: name, description: title },
    { profile: { displayName: name, email }, memberOf: [...groups] },
  );
}

/** Users and groups: the four people, departments with their teams, platform and FinOps. */
function orgEntities(): Entity[] {
  return [
    group('fleet', 'organization', 'Fleet'),
    ...departments.map(name =>
      group(
        name,
        'department',
        name.replace('d', 'D').replace('-', ' '),
        'fleet',
      ),
    ),
    ...teams.map(({ name, department }) =>
      group(name, 'team', name.replace('t', 'T').replace('-', ' '), department),
    ),
    group('platform', 'team', 'Platform', 'fleet'),
    group('finops', 'team', 'FinOps', 'fleet'),
    ...people.map(user),
  ];
}

interface ComponentShape {
  name: string;
  title: string;
  type: string;
  description: string;
  team: string;
  system?: string;
}

const components: readonly ComponentShape[] = [
  {
    name: 'llm-finetune',
    title: 'LLM fine-tuning',
    type: 'training',
    description:
      'Fine-tunes the base model of the assistant on support tickets',
    team: quietTeam,
    system: 'assistant',
  },
  {
    name: 'llm-eval',
    title: 'LLM evaluation',
    type: 'evaluation',
    description: 'Scores every candidate of the assistant before it ships',
    team: quietTeam,
    system: 'assistant',
  },
  {
    name: 'assistant-api',
    title: 'Assistant API',
    type: 'service',
    description: 'Serves the assistant behind an OpenAI-compatible API',
    team: quietTeam,
    system: 'assistant',
  },
  {
    name: 'assistant-notebooks',
    title: 'Assistant notebooks',
    type: 'notebook',
    description: 'Where the team explores data and prompts',
    team: quietTeam,
    system: 'assistant',
  },
  {
    name: 'fraud-scoring',
    title: 'Fraud scoring',
    type: 'service',
    description: 'Scores card payments while they happen',
    team: 'team-01',
  },
  {
    name: 'speech-to-text',
    title: 'Speech to text',
    type: 'training',
    description: 'Trains the transcription models of the call centre',
    team: 'team-08',
  },
  {
    name: 'vision-inspection',
    title: 'Vision inspection',
    type: 'service',
    description: 'Finds faulty parts on the production line',
    team: 'team-12',
  },
  {
    name: 'demand-forecast',
    title: 'Demand forecast',
    type: 'training',
    description: 'Forecasts demand by shop and week',
    team: 'team-23',
  },
  {
    name: 'document-search',
    title: 'Document search',
    type: 'service',
    description: 'Embeds and finds contracts',
    team: 'team-31',
  },
  {
    name: 'drug-screening',
    title: 'Drug screening',
    type: 'training',
    description: 'Screens molecules against protein targets',
    team: 'team-40',
  },
];

/** The systems and components that ask for GPUs. */
function componentEntities(): Entity[] {
  return [
    entity(
      'System',
      {
        name: 'assistant',
        title: 'Assistant',
        description: 'The assistant that answers support tickets',
      },
      { owner: `group:default/${quietTeam}` },
    ),
    ...components.map(({ name, title, type, description, team, system }) =>
      entity(
        'Component',
        {
          name,
          title,
          description,
          annotations: { 'gpuaas.io/namespace': team },
          tags: ['gpu'],
        },
        {
          type,
          lifecycle: 'production',
          owner: `group:default/${team}`,
          ...(system && { system }),
        },
      ),
    ),
  ];
}

/** The text of the committed files in `catalog/`. */
export function catalogFiles(): Record<string, string> {
  const file = (entities: Entity[]) =>
    entities.map(document => `---\n${stringify(document)}`).join('');
  return {
    'org.yaml': file(orgEntities()),
    'components.yaml': file(componentEntities()),
  };
}
