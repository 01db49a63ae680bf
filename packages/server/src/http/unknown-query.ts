import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from './route-machine.js'

/** A mistyped name is one of a few; nobody reads more of them. */
const namesMost = 5

/** The longest name of ours has 17 letters. */
const nameLengthMost = 64

/**
 * Unknown query parameters change nothing (ruling 1), so a mistyped filter would be a longer list than was asked for, and nothing
 * else to see. Their names go out in a header; their values, which may be a client's, never.
 */
export function warnOfUnknownQuery(
  known: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const text = wordUnknownQuery(known, queryOf(request))
  if (text !== null) void reply.header('casenote-warning', text)
}

/** Null: all are known. */
export function wordUnknownQuery(
  known: ReadonlySet<string>,
  query: Readonly<Record<string, unknown>>,
): string | null {
  const names: string[] = []
  for (const name in query) {
    if (known.has(name)) continue
    if (names.length === namesMost) break
    names.push(toVisible(name))
  }
  return names.length === 0 ? null : `Unknown query parameter: ${names.join(', ')}`
}

/** What a name holds beyond plain ASCII, or could be taken for the end of it, is shown as a question mark. */
const toVisible = (name: string): string =>
  name.slice(0, nameLengthMost).replaceAll(/[^!-+\--~]/g, '?') || '?'
