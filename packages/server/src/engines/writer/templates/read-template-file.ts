import { NoteTemplate, TEMPLATE_KINDS, TEMPLATE_PARTS, templateLimits } from '@casenote/contract'
import { Check, Errors } from 'typebox/value'
import { listShapeProblems, parseWritten, type ShapeError } from '../../../kernel/written-file.js'

/** A file that cannot be used: every problem with its place in it. */
export class TemplateProblem extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'TemplateProblem'
  }
}

export function readTemplateFile(text: string): NoteTemplate {
  if (Buffer.byteLength(text) > templateLimits.fileBytes)
    throw new TemplateProblem([`the file is longer than ${templateLimits.fileBytes / 1024} KB`])
  return readTemplate(parseWritten(text, TemplateProblem))
}

/** What was parsed already, as from a request. */
export function readTemplate(value: unknown): NoteTemplate {
  if (!Check(NoteTemplate, value))
    throw new TemplateProblem(
      // What is unknown is named by the object that has it.
      listShapeProblems(
        Errors(NoteTemplate, value).filter(({ keyword }) => keyword !== 'boolean'),
        wordProblem,
      ),
    )
  const problems = checkTemplate(value)
  if (problems.length > 0) throw new TemplateProblem(problems)
  return value
}

function wordProblem({ message, params }: ShapeError): string {
  const {
    additionalProperties: unknown = [],
    requiredProperties: missing = [],
    allowedValues,
    pattern,
  } = params as {
    additionalProperties?: string[]
    requiredProperties?: string[]
    allowedValues?: unknown[]
    pattern?: string
  }
  if (unknown.length > 0) return `there is no such thing in a template: ${unknown.join(', ')}`
  if (missing.length > 0) return `this is missing: ${missing.join(', ')}`
  if (allowedValues !== undefined) return `must be one of ${allowedValues.join(', ')}`
  if (pattern?.startsWith('^[a-z]') === true)
    return 'must be lower-case letters, digits and underscores, and begin with a letter'
  if (pattern !== undefined) return 'must be one line of text, without line breaks'
  return message
}

/** What a schema cannot say. */
function checkTemplate(template: NoteTemplate): string[] {
  const { sections } = template
  const guides = sections.reduce((sum, { guide, alsoGuide = '' }) => sum + guide.length + alsoGuide.length, 0)
  return [
    ...checkOnce(template),
    ...checkHolds(template),
    ...sections.flatMap(({ words }, at) =>
      words.least > words.most ? [`sections[${at}].words: the least is more than the most`] : [],
    ),
    ...(guides > templateLimits.guidesLength
      ? [
          `sections: all guides together have ${guides} characters; at most ${templateLimits.guidesLength} are read`,
        ]
      : []),
    ...checkContradictions(template),
  ]
}

/** Keys and names lead to one section each. */
function checkOnce({ sections }: NoteTemplate): string[] {
  const keys = new Set<string>()
  const titles = new Set<string>()
  return sections.flatMap(({ key, title }, at) => {
    const lower = title.toLowerCase()
    const problems = [
      ...(keys.has(key) ? [`sections[${at}].key: ${key} stands here twice`] : []),
      ...(titles.has(lower) ? [`sections[${at}].title: “${title}” stands here twice`] : []),
    ]
    keys.add(key)
    titles.add(lower)
    return problems
  })
}

function checkHolds({ sections }: NoteTemplate): string[] {
  const sectionsOf = new Map<string, string[]>()
  for (const { key, holds = [] } of sections)
    for (const kind of holds) sectionsOf.set(kind, [...(sectionsOf.get(kind) ?? []), key])
  return [
    ...[...TEMPLATE_KINDS, ...TEMPLATE_PARTS].flatMap((kind) => {
      const own = sectionsOf.get(kind) ?? []
      return own.length > 1 ? [`sections: ${own.join(' and ')} both hold “${kind}”; one section can`] : []
    }),
    ...(sectionsOf.has('danger')
      ? []
      : ['sections: none holds “danger”; a note needs a place where danger is looked for']),
    ...(sectionsOf.has('reported')
      ? []
      : ['sections: none holds “reported”; a note needs a place for what was told']),
    // The ledger takes a substance under this key for an allergy that is written.
    ...sections.flatMap(({ key, holds = [] }, at) =>
      key === 'allergies' && !holds.includes('allergies')
        ? [`sections[${at}].key: allergies is for the section that holds “allergies”`]
        : [],
    ),
  ]
}

/** What must stand by none but forbidden words can never be met. */
function checkContradictions({ mustNot: everywhere = [], sections }: NoteTemplate): string[] {
  return sections.flatMap(({ must = [], mustNot = [] }, at) => {
    const forbidden = [...everywhere, ...mustNot].map((phrase) => phrase.toLowerCase())
    return must.flatMap(({ what, words }, place) =>
      words.every((word) => forbidden.some((phrase) => word.toLowerCase().includes(phrase)))
        ? [`sections[${at}].must[${place}]: “${what}” cannot stand, for all of its words must not`]
        : [],
    )
  })
}
