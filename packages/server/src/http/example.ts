/** The parts of JSON Schema that an example is made from. */
interface Shape {
  type?: string
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  default?: unknown
  anyOf?: readonly Shape[]
  items?: Shape
  minimum?: number
  properties?: Record<string, Shape>
}

/** A plausible value of a schema: its own examples first, then what its type allows. */
export function makeExample(schema: unknown): unknown {
  const shape = schema as Shape
  if (shape.examples !== undefined) return shape.examples[0]
  if (shape.const !== undefined) return shape.const
  if (shape.default !== undefined) return shape.default
  if (shape.enum !== undefined) return shape.enum[0]
  if (shape.anyOf !== undefined) return makeExample(shape.anyOf[0])
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, property]) => [name, makeExample(property)]),
      )
    case 'array':
      return shape.items === undefined || shape.items.type === undefined ? [] : [makeExample(shape.items)]
    case 'integer':
    case 'number':
      return shape.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return formatted[shape.format ?? ''] ?? 'text'
  }
}

const formatted: Record<string, string> = {
  uuid: '7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11',
  uri: 'https://ehr.example/casenote',
  date: '1991-04-12',
  'date-time': '2026-11-15T09:30:00.000Z',
  email: 'juniper@example.com',
}
