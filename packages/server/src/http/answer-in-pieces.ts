import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page } from '@casenote/contract'
import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { forSerializer, type Serializer } from './answer-schema.js'

type Schema = Record<string, unknown>

export type PageWriter = (reply: FastifyReply, page: unknown) => Promise<FastifyReply>

/** Writes a page item by item, so that other requests come in between: what fastify writes, byte for byte. Null: not asked for. */
export function makePageWriter({
  schema,
  inPieces,
}: {
  schema: TSchema | null
  inPieces?: true
}): PageWriter | null {
  if (schema === null || inPieces === undefined) return null
  const { data, meta } = (forSerializer(schema) as { properties: { data: { items: Schema }; meta: Schema } })
    .properties
  let serializers: { item: Serializer; meta: Serializer } | null = null
  return async (reply, page) => {
    serializers ??= {
      item: reply.compileSerializationSchema(data.items) as Serializer,
      meta: reply.compileSerializationSchema(meta) as Serializer,
    }
    const given = page as Page<unknown>
    const pieces: Buffer[] = []
    for (const [index, item] of given.data.entries()) {
      const text = serializers.item(item)
      await nextTurn()
      pieces.push(Buffer.from(`${index === 0 ? '{"data":[' : ','}${text}`))
      await nextTurn()
    }
    const end = `],"meta":${serializers.meta(given.meta)}}`
    pieces.push(Buffer.from(given.data.length === 0 ? `{"data":[${end}` : end))
    return reply.type('application/json; charset=utf-8').send(Buffer.concat(pieces))
  }
}
