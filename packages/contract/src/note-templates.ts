import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'
import { NOTE_TYPES } from './notes.js'

/** What a section is for, whatever it is called: where each kind of talk stands. */
export const TEMPLATE_KINDS = [
  'danger',
  'reported',
  'medicines',
  'allergies',
  'observed',
  'judgement',
  'done',
  'response',
  'plan',
] as const

/** A part of what one of the kinds has, for notes with a section of its own for it. */
export const TEMPLATE_PARTS = [
  'presenting',
  'adherence',
  'med_response',
  'side_effects',
  'substance',
  'goal',
  'treatment_goals',
  'strengths',
  'psych_history',
  'medical',
  'family_history',
  'social_history',
  'trauma_history',
  'scores',
  'med_change',
] as const

export const templateLimits = {
  /** Ten times what the longest of ours has; it is read with every note that was written with it. */
  fileBytes: 65_536,
  /** The longest of ours has sixteen. */
  sections: 20,
  titleLength: 80,
  /** The longest of ours has 330 characters. */
  guideLength: 1_500,
  /** Length of all guides together: a prompt needs room for the transcript, too. */
  guidesLength: 12_000,
  names: 8,
  must: 10,
  mustWords: 10,
  mustNot: 30,
  phraseLength: 80,
  words: 2_000,
  /** Templates of one partner, those removed not counted. */
  templates: 100,
  /**
   * Templates of one partner, those removed included: notes keep theirs, so none is ever deleted. With all versions of each at their longest that would be
   * 13 GB; a partner who changes a hundred templates of 3 KB every month for ten years has 36 MB.
   */
  ids: 1_000,
  /** Versions of one template, for the same reason. */
  versions: 200,
} as const

const closed = { additionalProperties: false } as const

/** One line: with line breaks it could look like another part of a prompt or a note. */
const Line = (maxLength: number, about: { description?: string; examples: string[] }) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\x00-\\x1f\\x7f]*$', ...about })

const Phrases = (maxItems: number, description: string, example: string) =>
  Type.Array(Line(templateLimits.phraseLength, { examples: [example] }), { maxItems, description })

const Words = Type.Integer({ minimum: 0, maximum: templateLimits.words, examples: [60] })

const Section = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^[a-z][a-z0-9_]*$',
      description: 'Lower-case letters, digits and underscores',
      examples: ['next_steps'],
    }),
    title: Line(templateLimits.titleLength, { examples: ['Next Steps'] }),
    names: Type.Optional(
      Type.Array(Line(templateLimits.titleLength, { examples: ['steps'] }), {
        maxItems: templateLimits.names,
        description: 'What clinicians call it besides key and title',
      }),
    ),
    holds: Type.Optional(
      Type.Array(oneOf([...TEMPLATE_KINDS, ...TEMPLATE_PARTS], { examples: ['plan'] }), {
        maxItems: TEMPLATE_KINDS.length + TEMPLATE_PARTS.length,
        description:
          'Which kinds of talk stand here; the first is what the title says. One section holds `danger`, and one `reported`',
      }),
    ),
    guide: Line(templateLimits.guideLength, {
      description: 'What belongs here, for the writer. Never evidence: what nobody said is not written',
      examples: ['What was agreed for the time until the next session.'],
    }),
    alsoGuide: Type.Optional(Line(templateLimits.guideLength, { examples: ['Homework belongs here, too.'] })),
    words: Type.Object({ least: Words, most: Words }, { ...closed, description: 'For a full session' }),
    layout: Type.Optional(oneOf(['paragraph', 'bullets'], { examples: ['bullets'] })),
    must: Type.Optional(
      Type.Array(
        Type.Object(
          {
            what: Line(templateLimits.titleLength, { examples: ['Next appointment'] }),
            words: Type.Array(Line(templateLimits.phraseLength, { examples: ['next appointment'] }), {
              minItems: 1,
              maxItems: templateLimits.mustWords,
              description: 'It stands where the section has one of these',
            }),
          },
          closed,
        ),
        {
          maxItems: templateLimits.must,
          description: 'What does not stand is listed in the note’s `review`',
        },
      ),
    ),
    mustNot: Type.Optional(
      Phrases(
        templateLimits.mustNot,
        'A sentence with one of these is refused in this section',
        'non-compliant',
      ),
    ),
  },
  closed,
)

const exampleTemplate = {
  format: 1,
  id: 'riverside-check-in',
  version: 1,
  noteType: 'dap',
  title: 'Riverside Check-in',
  voice: { person: 'client' },
  sections: [
    {
      key: 'session',
      title: 'Session',
      holds: ['reported', 'danger'],
      guide: 'What the client told.',
      words: { least: 40, most: 150 },
    },
    {
      key: 'next_steps',
      title: 'Next Steps',
      holds: ['plan'],
      guide: 'What was agreed.',
      words: { least: 10, most: 60 },
      layout: 'bullets',
    },
  ],
}

/** The file of a type of note (docs/templates.md). */
export const NoteTemplate = Type.Object(
  {
    format: Type.Integer({
      minimum: 1,
      maximum: 1,
      description: 'Version of the format of the file: 1',
      examples: [1],
    }),
    id: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[a-z][a-z0-9_-]*$',
      description: 'Lower-case letters, digits, underscores and dashes',
      examples: ['riverside-check-in'],
    }),
    version: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Greater with every change; a note keeps the one that it was written with',
      examples: [1],
    }),
    noteType: oneOf(NOTE_TYPES, { description: 'The type that its notes are of', examples: ['dap'] }),
    title: Line(templateLimits.titleLength, { examples: ['Riverside Check-in'] }),
    voice: Type.Object(
      {
        person: oneOf(['client', 'patient'], { examples: ['client'] }),
        form: Type.Optional(oneOf(['prose', 'points'], { examples: ['prose'] })),
      },
      closed,
    ),
    mustNot: Type.Optional(
      Phrases(templateLimits.mustNot, 'A sentence with one of these is refused in any section', 'as usual'),
    ),
    sections: Type.Array(Section, {
      minItems: 1,
      maxItems: templateLimits.sections,
    }),
  },
  { $id: 'NoteTemplate', ...closed, examples: [exampleTemplate] },
)
export type NoteTemplate = Static<typeof NoteTemplate>

export const TEMPLATE_SCOPES = ['built_in', 'tenant', 'clinic', 'clinician'] as const
export type TemplateScope = (typeof TEMPLATE_SCOPES)[number]

const templateHead = {
  id: Type.String({ examples: ['riverside-check-in'] }),
  version: Type.Integer({ minimum: 1, description: 'The newest', examples: [1] }),
  noteType: oneOf(NOTE_TYPES, { examples: ['dap'] }),
  title: Type.String({ examples: ['Riverside Check-in'] }),
  scope: oneOf(TEMPLATE_SCOPES, {
    description:
      'Who can use it: `built_in` and `tenant` all clinicians, else those of one clinic, or one of them',
    examples: ['clinic'],
  }),
  clinicId: Nullable(Id),
  clinicianId: Nullable(Id),
  isDefault: Type.Boolean({
    description:
      'Used where a session names its note type and no template; a clinician’s wins over the clinic’s, and that over the tenant’s',
    examples: [false],
  }),
  createdAt: Nullable(Timestamp),
}

export const TemplateHead = Type.Object(templateHead, { $id: 'Template' })
export type TemplateHead = Static<typeof TemplateHead>

export const TemplateRead = Type.Object(
  { ...templateHead, template: NoteTemplate },
  { $id: 'TemplateWithFile' },
)
export type TemplateRead = Static<typeof TemplateRead>

export const TemplateInput = Type.Object(
  {
    template: NoteTemplate,
    clinicId: Type.Optional(Nullable(Id)),
    clinicianId: Type.Optional(Nullable(Id)),
    isDefault: Type.Optional(Type.Boolean({ examples: [true] })),
  },
  {
    $id: 'TemplateInput',
    examples: [{ template: exampleTemplate, isDefault: false }],
    description: `Without \`clinicId\` and \`clinicianId\` a new template is for the whole tenant, and one that is known stays whose it is; at most one of them is given. \`template\` has at most ${templateLimits.fileBytes} bytes, as JSON in UTF-8`,
  },
)
export type TemplateInput = Static<typeof TemplateInput>

export const NOTE_LENGTHS = ['shorter', 'usual', 'longer'] as const
export type NoteLength = (typeof NOTE_LENGTHS)[number]

export const writingLimits = { leftOut: 40, phrases: 30 } as const

const LeftOut = Type.Array(Type.String({ minLength: 1, maxLength: 50, examples: ['objective'] }), {
  maxItems: writingLimits.leftOut,
  description:
    'Keys of sections that are not written. Where danger and where what was told stand is always written',
})
const AvoidedPhrases = Type.Array(Line(templateLimits.phraseLength, { examples: ['non-compliant'] }), {
  maxItems: writingLimits.phrases,
  description: 'A sentence with one of these is refused, and marked if it stays',
})
const Length = oneOf(NOTE_LENGTHS, {
  description: 'How long the prose of a note is; quotes, and what nobody said, do not grow',
  examples: ['shorter'],
})

/** What a clinician wants of every note, over whatever template it is written with. */
export const WritingPreferences = Type.Object(
  { length: Length, leftOut: LeftOut, avoidedPhrases: AvoidedPhrases },
  { $id: 'WritingPreferences' },
)
export type WritingPreferences = Static<typeof WritingPreferences>

export const WritingPreferencesPatch = Type.Object(
  {
    length: Type.Optional(Length),
    leftOut: Type.Optional(LeftOut),
    avoidedPhrases: Type.Optional(AvoidedPhrases),
  },
  { $id: 'WritingPreferencesPatch', description: 'What is left out stays' },
)
export type WritingPreferencesPatch = Static<typeof WritingPreferencesPatch>

/** For the widget: what a clinician can choose from, and what they want of their notes. */
export const WidgetTemplates = Type.Object({
  templates: Type.Array(
    Type.Object({
      ...templateHead,
      sections: Type.Array(
        Type.Object({ key: Type.String(), title: Type.String(), isAlwaysWritten: Type.Boolean() }),
      ),
    }),
  ),
  preferences: WritingPreferences,
})
export type WidgetTemplates = Static<typeof WidgetTemplates>
