import { errorCataloguePath, errorCodeHeader } from '@casenote/contract'

/** Response headers that several answers have, written once and referred to. */
export const answerHeaders = {
  [errorCodeHeader]: {
    description: `Why the call was refused: a stable code to branch on. New ones may come. See \`${errorCataloguePath}\``,
    required: true,
    schema: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', examples: ['validation_failed'] },
  },
  Link: {
    description: 'Where the code is explained, relative to the installation',
    required: true,
    schema: { type: 'string', examples: [`<${errorCataloguePath}#validation_failed>; rel="help"`] },
  },
  'Casenote-Warning': {
    description:
      'Names query parameters that are not known and change nothing; there is none if all are known',
    schema: { type: 'string', examples: ['Unknown query parameter: lastname'] },
  },
  'X-Request-Id': {
    description: 'Names this call; quote it when you ask the operator about it',
    schema: { type: 'string', examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'] },
  },
  'RateLimit-Policy': {
    description: 'Your limits: `q` calls in `w` seconds',
    schema: { type: 'string', examples: ['"burst";q=20000;w=2, "day";q=50000000;w=86400'] },
  },
  RateLimit: {
    description: 'What is left of the tighter one: `r` calls; in `t` seconds there are more',
    schema: { type: 'string', examples: ['"burst";r=19999;t=1'] },
  },
  'Retry-After': {
    description: 'Seconds after which the same call may succeed',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
} as const

export const refer = (...names: (keyof typeof answerHeaders)[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
