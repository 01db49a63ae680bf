import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { schemaToGrammar } from '../../../src/engines/models/local/schema-to-grammar.js'

/** The rule of an integer as an expression of JavaScript: both have the same signs for it. */
function toPattern(least: number, most: number): RegExp {
  const grammar = schemaToGrammar(Type.Integer({ minimum: least, maximum: most }))
  const rule = /^r0 ::= (.*)$/m.exec(grammar)?.[1] ?? ''
  return new RegExp(`^(${rule.replaceAll('"', '').replaceAll(' ', '')})$`)
}

describe('a schema as a grammar', () => {
  it.each([
    [0, 0],
    [0, 7],
    [0, 39],
    [0, 100],
    [3, 217],
    [95, 1_205],
    [0, 999],
    [1_000, 1_999],
  ])('holds integers from %i to %i to their range', (least, most) => {
    const pattern = toPattern(least, most)
    for (let value = 0; value <= most + 1_200; value += 1) {
      expect(pattern.test(String(value))).toBe(value >= least && value <= most)
    }
    for (const odd of ['', '-1', '01', '00', '1.5']) expect(pattern.test(odd)).toBe(false)
  })

  it('writes equal rules once, and members in the order of the schema', () => {
    const Part = Type.Object({ text: Type.String({ minLength: 1, maxLength: 20 }), isNew: Type.Boolean() })
    const grammar = schemaToGrammar(Type.Object({ b: Part, a: Part }))
    expect(grammar.split('\n')).toEqual([
      'root ::= r4',
      'r0 ::= [^"\\\\\\x00-\\x1F\\x7F\\uD800-\\uDFFF\\U00010000-\\U0010FFFF] | "\\\\" ["\\\\/nrt]',
      'r1 ::= "\\"" r0{1,20} "\\""',
      'r2 ::= "true" | "false"',
      'r3 ::= "{" "\\"text\\":" " "? r1 "," " "? "\\"isNew\\":" " "? r2 "}"',
      'r4 ::= "{" "\\"b\\":" " "? r3 "," " "? "\\"a\\":" " "? r3 "}"',
    ])
  })

  it('knows choices, lists and nothing at all', () => {
    const grammar = schemaToGrammar(
      Type.Object({
        reason: Type.Union([Type.Literal('a "b"'), Type.Null()]),
        items: Type.Array(Type.Integer({ minimum: 0, maximum: 3 }), { minItems: 1, maxItems: 4 }),
        none: Type.Array(Type.Boolean(), { maxItems: 0 }),
      }),
    )
    expect(grammar).toContain('"\\"a \\\\\\"b\\\\\\"\\"" | "null"')
    expect(grammar).toContain('"[" r1 ("," " "? r1){0,3} "]"')
    expect(grammar).toContain('"[]"')
  })

  it('leaves long strings to the bound of tokens: llama.cpp refuses thousands of repetitions', () => {
    expect(schemaToGrammar(Type.String({ maxLength: 1_001 }))).toContain('{0,}')
  })

  it('refuses what it would not hold an answer to', () => {
    expect(() => schemaToGrammar(Type.Record(Type.String(), Type.String()))).toThrow('named members')
    expect(() => schemaToGrammar(Type.Unknown())).toThrow('no such schema')
  })
})
