type Json = Record<string, unknown>

/** The parts of our own OpenAPI document that the partner's kit is made of. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Json }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export const listOperations = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

type Content = Record<'application/json', { schema: Json; example?: unknown }>
