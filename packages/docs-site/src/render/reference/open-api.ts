import type { Schema } from './render-schema.js'

/** The parts of our own OpenAPI document that the site shows. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: WebhookOperation }>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, AnswerHeader>
    parameters: Record<string, Parameter>
  }
}

export interface AnswerHeader {
  description: string
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

export interface Reference {
  $ref: string
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Answer>
}

export interface Answer {
  description: string
  headers?: Record<string, AnswerHeader | Reference>
  content?: Content
}

interface WebhookOperation {
  operationId: string
  summary: string
  description: string
  parameters: Reference[]
  requestBody: { content: Content }
  responses: Record<string, Answer>
}

export type Content = Record<'application/json', { schema: Schema; example?: unknown }>

export interface Entry extends Operation {
  method: string
  path: string
}

export function listEntries({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** What a body needs is shown where it is needed, not behind a link. */
export function resolveSchema(schema: Schema, { components }: OpenApiDocument): Schema {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1)
  return (name === undefined ? undefined : components.schemas[name]) ?? schema
}
