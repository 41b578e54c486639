/**
 * Holds every answer the tests get against the published description, and knows nothing of the service but that:
 * the schemas are read back from the document, as another program would.
 */
import { z } from 'zod';
import { endpoints } from '../../demo/service/http/app.js';
import {
  type Description,
  describeApi,
  type JsonSchema,
  type Operation,
} from '../../demo/service/http/description/openapi.js';

export const description: Description = describeApi(endpoints, 'http://localhost');

type Defined = Parameters<typeof z.fromJSONSchema>[0];

const rooted: unknown = JSON.parse(
  JSON.stringify(description.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
);

/** The reader of schemas wants its definitions beside what points at them. */
export function readBack(schema: JsonSchema): z.ZodType {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  const whole: Defined = { ...JSON.parse(text), $defs: rooted };
  return z.fromJSONSchema(whole);
}

interface Known {
  method: string;
  pattern: RegExp;
  operation: Operation | undefined;
  answers: Map<string, z.ZodType | null>;
}

const known: Known[] = endpoints.flatMap(({ path, methods }) =>
  methods.map((method) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
    operation: description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method],
    answers: new Map(),
  })),
);

function answerSchema({ operation, answers }: Known, status: string): z.ZodType | null {
  const made = answers.get(status);
  if (made !== undefined) return made;
  const schema = operation?.responses[status]?.content?.['application/json']?.schema;
  const read = schema ? readBack(schema) : null;
  answers.set(status, read);
  return read;
}

/** @throws when an operation of ours answered with something the description does not promise */
export function checkAnswer(method: string, url: string, answer: { status: number; body: unknown }): void {
  const path = new URL(url).pathname;
  const found = known.find((one) => one.method === method && one.pattern.test(path));
  if (!found?.operation) return;
  const { responses, operationId } = found.operation;
  const said = responses[answer.status] ? String(answer.status) : 'default';
  if (said === 'default' && answer.status < 500) {
    throw new Error(`${operationId} answered ${answer.status}, which its description does not know`);
  }
  const schema = answerSchema(found, said);
  const fits = schema ? schema.safeParse(answer.body) : undefined;
  if (fits && !fits.success) {
    const first = fits.error.issues.slice(0, 5);
    throw new Error(`${operationId} ${answer.status} is not as described: ${JSON.stringify(first)}`);
  }
  if (!schema && !responses[said]?.content && answer.body !== '') {
    throw new Error(`${operationId} ${answer.status} is described as empty`);
  }
}
