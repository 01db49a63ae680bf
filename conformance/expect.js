// What checks say. Every failure names what was expected and what came; the clause is added by check().
import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { Answer } from './client.js'

/** Thrown by a check that cannot be carried out here; reported by name with its reason, never as passed. */
export class Skipped extends Error {}

/** @param {string} reason @returns {never} */
export function skip(reason) {
  throw new Skipped(reason)
}

/** @param {string} message @returns {never} */
function fail(message) {
  throw new AssertionError({ message })
}

/** @param {unknown} value */
const show = (value) => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/**
 * @param {unknown} condition
 * @param {string} expected
 * @param {unknown} came an Answer, or any value
 */
export function expectThat(condition, expected, came) {
  if (!condition) fail(`expected ${expected}; came ${came instanceof Answer ? came.describe() : show(came)}`)
}

/** @param {string} what @param {unknown} actual @param {unknown} expected */
export function expectEqual(what, actual, expected) {
  if (!isDeepStrictEqual(actual, expected)) fail(`expected ${what} ${show(expected)}, came ${show(actual)}`)
}

/** @param {import('./client.js').Answer} answer @param {number} status */
export function expectStatus(answer, status) {
  if (answer.status !== status) fail(`expected HTTP ${status}; ${answer.describe()}`)
}

/**
 * Every key is there; further keys are allowed, since additions never break a partner.
 * @param {string} what
 * @param {unknown} value
 * @param {readonly string[]} keys
 */
export function expectKeys(what, value, keys) {
  if (typeof value !== 'object' || value === null) fail(`expected ${what} as an object, came ${show(value)}`)
  const missing = keys.filter((key) => !Object.hasOwn(value, key))
  if (missing.length > 0)
    fail(`expected ${what} with the keys ${missing.join(', ')}, came ${show(Object.keys(value))}`)
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** @param {string} what @param {unknown} value */
export function expectUuid(what, value) {
  if (typeof value !== 'string' || !uuidPattern.test(value))
    fail(`expected ${what} as a version-4 UUID, came ${show(value)}`)
}

/** @param {string} what @param {unknown} value */
export function expectTime(what, value) {
  if (typeof value !== 'string' || !timePattern.test(value))
    fail(`expected ${what} as ISO 8601 time with Z, came ${show(value)}`)
}

/**
 * The bare object of the gateway: `message` and nothing else.
 * @param {import('./client.js').Answer} answer
 * @param {string} message
 */
export function expectGateway(answer, message) {
  if (answer.status !== 403 || !isDeepStrictEqual(answer.json, { message }))
    fail(`expected HTTP 403 with exactly ${show({ message })}; ${answer.describe()}`)
}

/**
 * The PartnerApiError envelope in an answer whose HTTP status is `status` (or `httpStatus` where the two differ).
 * @param {import('./client.js').Answer} answer
 * @param {number} status
 * @param {{ message?: string, httpStatus?: number }} [options]
 */
export function expectRefusal(answer, status, { message, httpStatus = status } = {}) {
  expectStatus(answer, httpStatus)
  const body = answer.json
  expectThat(
    body?.error !== undefined && typeof body.path === 'string',
    'a PartnerApiError: { error, path }',
    answer,
  )
  expectKeys('error', body.error, ['type', 'message', 'statusCode', 'timestamp', 'details'])
  expectThat(typeof body.error.type === 'string', 'error.type as a string', answer)
  expectEqual('error.statusCode', body.error.statusCode, status)
  expectEqual('error.details', body.error.details, [])
  expectTime('error.timestamp', body.error.timestamp)
  if (message !== undefined) expectEqual('error.message', body.error.message, message)
}

/**
 * A business rule's failure: the message is a plain string.
 * @param {import('./client.js').Answer} answer
 * @param {number} status
 * @param {string} [message]
 */
export function expectRule(answer, status, message) {
  expectRefusal(answer, status, message === undefined ? {} : { message })
  expectThat(typeof answer.json.error.message === 'string', 'error.message as a plain string', answer)
}

/**
 * A validation failure whose list has, for each entry of `problems`, one message that is it or begins with it
 * (`each value in x …` counts as x first).
 * @param {import('./client.js').Answer} answer
 * @param {readonly string[]} problems full texts, or field names
 */
export function expectInvalid(answer, problems) {
  expectRefusal(answer, 400)
  const message = answer.json.error.message
  expectThat(
    typeof message === 'object' && message !== null && Array.isArray(message.message),
    'error.message as an object with a message array',
    answer,
  )
  expectEqual('error.message.error', message.error, 'Bad Request')
  expectEqual('error.message.statusCode', message.statusCode, 400)
  for (const problem of problems) {
    const isListed = message.message.some((/** @type {string} */ text) =>
      text.replace(/^each value in /, '').startsWith(problem),
    )
    expectThat(isListed, `a message ${show(problem)} in the list`, message.message)
  }
}

/**
 * The paginated envelope; returns its items.
 * @param {import('./client.js').Answer} answer
 * @param {{ currentPage?: number, totalItems?: number, itemsPerPage?: number }} [expected]
 * @returns {Record<string, any>[]}
 */
export function expectPage(answer, { currentPage = 1, totalItems, itemsPerPage = 10 } = {}) {
  expectStatus(answer, 200)
  const page = answer.json
  expectThat(Array.isArray(page?.data) && page.meta !== undefined, 'a page: { data, meta }', answer)
  expectKeys('meta', page.meta, ['totalItems', 'totalPages', 'itemsPerPage', 'currentPage'])
  for (const [key, value] of Object.entries(page.meta))
    expectThat(Number.isInteger(value), `meta.${key} as an integer`, value)
  expectEqual('meta.itemsPerPage', page.meta.itemsPerPage, itemsPerPage)
  expectEqual('meta.currentPage', page.meta.currentPage, currentPage)
  expectEqual(
    'meta.totalPages',
    page.meta.totalPages,
    Math.max(1, Math.ceil(page.meta.totalItems / itemsPerPage)),
  )
  expectThat(page.data.length <= itemsPerPage, `at most ${itemsPerPage} items`, page.data.length)
  if (totalItems !== undefined) expectEqual('meta.totalItems', page.meta.totalItems, totalItems)
  return page.data
}
