import {
  isDate,
  isDateTime,
  isEmail,
  isWebAddress,
  pageOf,
  pageOfTen,
  readBody,
  readQuery,
} from '../src/index.js'
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'

const schema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  nick: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  isGood: Type.Optional(Type.Boolean()),
  color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
  url: Type.Optional(Type.String({ format: 'uri' })),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
  picked: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1 })),
  shades: Type.Optional(Type.Array(Type.String({ enum: ['light', 'dark'] }))),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  places: Type.Optional(Type.Array(Type.Object({ city: Type.String() }))),
  home: Type.Optional(Type.Object({ street: Type.String() })),
  mail: Type.Optional(Type.String({ format: 'email' })),
  born: Type.Optional(
    Type.String({ format: 'date', 'x-date-minimum': '1880-01-01', 'x-date-maximum': 'today' }),
  ),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  said: Type.Optional(Type.String({ minLength: 1, maxLength: 3, 'x-trimmed': true })),
  labels: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 3 }), { maxProperties: 2 })),
})

const problemsOf = (body: unknown): string[] => readBody(schema, body).problems ?? []

describe('the texts that partners know', () => {
  for (const [body, problems] of [
    [{}, ['name should not be empty']],
    [null, ['name should not be empty']],
    [{ name: null }, ['name should not be empty']],
    [{ name: '' }, ['name should not be empty']],
    [{ name: 5 }, ['name must be a string']],
    [{ name: 'sixsix' }, ['name must be shorter than or equal to 5 characters']],
    [{ name: '👩👩👩👩👩' }, []],
    [{ name: 'a\u0000' }, ['name must not contain null characters']],
    [{ name: '\ud800' }, ['name must be well-formed Unicode']],
    [{ name: 'a', nick: null }, []],
    [{ name: 'a', nick: 7 }, ['nick must be a string']],
    [{ name: 'a', count: '1' }, ['count must be an integer number']],
    [{ name: 'a', count: 1.5 }, ['count must be an integer number']],
    [{ name: 'a', count: 0 }, ['count must not be less than 1']],
    [{ name: 'a', count: 101 }, ['count must not be greater than 100']],
    [{ name: 'a', count: null }, ['count must be an integer number']],
    [{ name: 'a', isGood: 'true' }, ['isGood must be a boolean value']],
    [{ name: 'a', color: 'green' }, ['color must be one of the following values: red, blue']],
    [{ name: 'a', url: 'x' }, ['url must be a URL address']],
    [{ name: 'a', id: 'x' }, ['id must be a UUID']],
    [{ name: 'a', mail: 'x' }, ['mail must be an email']],
    [{ name: 'a', born: 'x' }, ['born must be a valid ISO 8601 date string']],
    [{ name: 'a', born: 19900131 }, ['born must be a valid ISO 8601 date string']],
    [{ name: 'a', born: '1880-01-01' }, []],
    [{ name: 'a', born: '1879-12-31' }, ['born must be a valid ISO 8601 date string']],
    [{ name: 'a', born: '2999-01-01' }, ['born must be a valid ISO 8601 date string']],
    [{ name: 'a', at: '1990-01-31' }, ['at must be a valid ISO 8601 date string']],
    [{ name: 'a', tags: 'x' }, ['tags must be an array']],
    [{ name: 'a', tags: [1] }, ['each value in tags must be a string']],
    [{ name: 'a', tags: ['1', '2', '3'] }, ['tags must contain no more than 2 elements']],
    [{ name: 'a', picked: [] }, ['picked should not be empty']],
    [{ name: 'a', picked: ['x'] }, ['each value in picked must be a UUID']],
    [{ name: 'a', shades: ['light', 'dark', 'light'] }, []],
    ...[['light', 'gray'], [1], [null], [['light']]].map((shades) => [
      { name: 'a', shades },
      ['each value in shades must be one of the following values: light, dark'],
    ]),
    ...[
      '2026-11-15T09:30:00Z',
      '2026-11-15T09:30:00.123456+05:30',
      '2024-02-29T23:59:59-11:00',
      '0001-01-01T00:00:00Z',
    ].map((since) => [{ name: 'a', since }, []]),
    ...[
      '2026-11-15',
      '2026-11-15T09:30:00',
      '2026-11-15 09:30:00Z',
      '2026-02-30T09:30:00Z',
      '2025-02-29T09:30:00Z',
      '2026-13-01T09:30:00Z',
      '2026-00-10T09:30:00Z',
      '2026-11-15T24:00:00Z',
      '2026-11-15T09:60:00Z',
      '2026-11-15T09:30:60Z',
      '2026-11-15T09:30:00+25:00',
      '0000-01-01T00:00:00Z',
      '+002026-11-15T09:30:00Z',
      '20261115T093000Z',
      'now',
    ].map((since) => [{ name: 'a', since }, ['since must be a valid ISO 8601 date string']]),
    [{ name: 'a', places: [{ city: 'x' }, {}] }, ['places.1.city should not be empty']],
    [
      { name: 'a', places: [{ city: 1 }, 3] },
      ['places.0.city must be a string', 'places.1 must be an object'],
    ],
    [{ name: 'a', home: [] }, ['home must be an object']],
    [{ name: 'a', at: '2026-11-15T09:30:00Z' }, []],
    [{ name: 'a', at: '2024-02-29T23:59:59.123+05:30' }, []],
    ...[
      '2026-02-29T09:30:00Z',
      '2026-11-15T24:00:00Z',
      '2026-11-15T09:30:00',
      '2026-11-15',
      '2026-13-01T00:00:00Z',
      '20261115T093000Z',
      '0000-01-01T00:00:00Z',
      '2026-11-15 09:30:00Z',
      '',
    ].map((at) => [{ name: 'a', at }, ['at must be a valid ISO 8601 date string']]),
    [{ name: 'a', said: '  abc\n' }, []],
    [{ name: 'a', said: '   ' }, ['said should not be empty']],
    [{ name: 'a', said: ' abcd ' }, ['said must be shorter than or equal to 3 characters']],
    [{ name: 'a', labels: { x: 'abc', y: '' } }, []],
    [
      { name: 'a', labels: { x: 5, y: 'abcd' } },
      ['labels.x must be a string', 'labels.y must be shorter than or equal to 3 characters'],
    ],
    [{ name: 'a', labels: { x: 'a', y: 'b', z: 'c' } }, ['labels must contain no more than 2 elements']],
    [
      { name: 5, count: 'x', url: 'y' },
      ['name must be a string', 'count must be an integer number', 'url must be a URL address'],
    ],
  ] as [unknown, string[]][]) {
    it(`${JSON.stringify(body)} → ${problems.join('; ') || 'fine'}`, () =>
      expect(problemsOf(body)).toEqual(problems))
  }
})

describe('reading', () => {
  it('never throws, whatever it is given, and gives either a value or problems that begin with a field', () => {
    const fields = Object.keys(schema.properties).join('|')
    const text = new RegExp(`^(each value in )?(${fields})(\\.\\w+)* (must|should) `)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({ name: fc.anything(), tags: fc.anything(), places: fc.anything() }),
        ),
        (body) => {
          const { value, problems } = readBody(schema, body)
          expect((value === null) !== (problems === null)).toBe(true)
          for (const problem of problems ?? []) expect(problem).toMatch(text)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('leaves out what the schema does not name, inherited names included', () => {
    const body = JSON.parse('{"name":"a","__proto__":{"nick":"x"},"toString":1,"extra":2}') as object
    expect(readBody(schema, body).value).toEqual({ name: 'a' })
    expect(readBody(schema, Object.create({ name: 'inherited' })).problems).toEqual([
      'name should not be empty',
    ])
  })

  it('reads a map without touching any prototype, and trims where the schema says so', () => {
    const body = JSON.parse('{"name":"a","said":" ab ","labels":{"__proto__":"x"}}') as object
    const { value } = readBody(schema, body)
    expect(value?.said).toBe('ab')
    expect(Object.entries(value?.labels ?? {})).toEqual([['__proto__', 'x']])
    expect(Object.getPrototypeOf(value?.labels)).toBe(Object.prototype)
  })

  it('reads numbers and booleans from a query, and an empty value as none', () => {
    const query = Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1 })),
      only: Type.Optional(Type.Boolean()),
    })
    expect(readQuery(query, { page: '12', only: 'true', other: 'x' }).value).toEqual({ page: 12, only: true })
    expect(readQuery(query, { page: '', only: '' }).value).toEqual({})
    expect(readQuery(query, { page: ['1', '2'], only: '1' }).problems).toEqual([
      'page must be an integer number',
      'only must be a boolean value',
    ])
    expect(readQuery(query, { page: '0x10' }).problems).toHaveLength(1)
  })
})

it('a URL address is absolute, http or https, and means what it says', () => {
  for (const good of [
    'http://a',
    'https://a.b:8443/c?d#e',
    'HTTPS://A',
    'http://[::1]/',
    'http://127.0.0.1:3000',
  ]) {
    expect([good, isWebAddress(good)]).toEqual([good, true])
  }
  for (const bad of [
    '',
    'a',
    '//a',
    'https:a',
    'https:/a',
    'https:\\\\a',
    'https://',
    'https:///a',
    'ftp://a',
    'file:///a',
    'https://a b',
    ' https://a',
    'https://[x]',
    'https://a:99999',
    'javascript:alert(1)',
    'https://?x',
    'https://#x',
  ]) {
    expect([bad, isWebAddress(bad)]).toEqual([bad, false])
  }
})

it('a date is YYYY-MM-DD and a real day', () => {
  for (const good of ['1990-01-31', '2000-02-29', '0001-01-01', '9999-12-31']) {
    expect([good, isDate(good)]).toEqual([good, true])
  }
  for (const bad of [
    '',
    '1990',
    '1990-W01',
    '19900101',
    '1990-02-30',
    '1900-02-29',
    '1990-00-10',
    '1990-1-1',
    '1990-01-31 ',
    '0000-01-01',
    '1990-01-31T00:00:00Z',
    '+1990-01-31',
    '١٩٩٠-٠١-٣١',
  ]) {
    expect([bad, isDate(bad)]).toEqual([bad, false])
  }
})

it('a time is a real day, a time of day and a zone', () => {
  for (const good of [
    '1990-01-31T00:00:00Z',
    '1990-01-31T23:59:59.123456Z',
    '2026-11-15T09:30:00.000+05:30',
    '2026-11-15T09:30:00-12:00',
  ]) {
    expect([good, isDateTime(good), Number.isNaN(Date.parse(good))]).toEqual([good, true, false])
  }
  for (const bad of [
    '1990-01-31',
    '1990-01-31T00:00:00',
    '1990-01-31 00:00:00Z',
    '1990-02-30T00:00:00Z',
    '1990-01-31T24:00:00Z',
    '1990-01-31T00:60:00Z',
    '1990-01-31T00:00:00+24:00',
    '1990-01-31T00:00Z',
    '1990-01-31t00:00:00z',
  ]) {
    expect([bad, isDateTime(bad)]).toEqual([bad, false])
  }
})

it('an email has one @, a domain with a dot and nothing blank', () => {
  for (const good of [
    'a@b.co',
    'A.b+c@sub.example.com',
    "o'brien@example.com",
    'ü@exämple.de',
    'a@b-c.museum',
  ]) {
    expect([good, isEmail(good)]).toEqual([good, true])
  }
  for (const bad of [
    '',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a@@b.co',
    'a@b@c.co',
    'a b@c.co',
    ' a@b.co',
    'a@b.co\n',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@-b.co',
    'a@b..co',
    'A <a@b.co>',
    `${'a'.repeat(65)}@b.co`,
  ]) {
    expect([bad, isEmail(bad)]).toEqual([bad, false])
  }
})

it('a free filter of a query cannot be wrong, only match nothing', () => {
  const query = Type.Object({ name: Type.Optional(Type.String()) })
  expect(readQuery(query, { name: 'a' }).value).toEqual({ name: 'a' })
  expect(readQuery(query, { name: ['a', 'b'] }).value).toEqual({ name: '\u0000' })
  expect(readQuery(query, { name: 'a\u0000' }).problems).toBeNull()
})

it('pages: the last page is reached, and never an empty one behind it', () => {
  fc.assert(
    fc.property(fc.nat(100_000), (totalItems) => {
      const { totalPages } = pageOf([], totalItems, pageOfTen()).meta
      expect(totalPages).toBeGreaterThanOrEqual(1)
      expect(totalPages * 10).toBeGreaterThanOrEqual(totalItems)
      if (totalPages > 1) expect((totalPages - 1) * 10).toBeLessThan(totalItems)
    }),
  )
})
