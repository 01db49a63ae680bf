import { Type, type Static } from 'typebox'
import { Id, nameLengthMax, Nullable, oneOf, Timestamp } from './fields.js'
import { TEXT_LANGUAGES } from './languages.js'

/** Our addition: who agreed to be recorded, to which text, how, and what became of it (decision 0048). */

/** What holds for a client. `none`: nobody has agreed yet. */
export const CONSENT_STATES = ['given', 'withdrawn', 'none'] as const
export type ConsentState = (typeof CONSENT_STATES)[number]

/** `participant`: somebody else who is in the room, of a couple or a family. */
export const CONSENT_RELATIONS = ['self', 'guardian', 'participant'] as const
export type ConsentRelation = (typeof CONSENT_RELATIONS)[number]

export const CONSENT_METHODS = ['signed_on_page', 'signed_in_room', 'by_word'] as const
export type ConsentMethod = (typeof CONSENT_METHODS)[number]

/** Attested by somebody else than the client's own page. */
export const ATTESTED_METHODS = ['signed_in_room', 'by_word'] as const

export const CONSENT_STATUSES = ['given', 'withdrawn'] as const

export const CONSENT_SAID_TO = ['clinician', 'partner', 'client'] as const
export type ConsentSaidTo = (typeof CONSENT_SAID_TO)[number]

export const RecordingConsentState = oneOf(CONSENT_STATES, {
  description:
    'Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet',
  examples: ['given'],
})

const SaidBy = Type.Object({
  kind: oneOf(CONSENT_SAID_TO, {
    description: 'Who says so: the clinician, the partner, or the client on their own page',
    examples: ['clinician'],
  }),
  id: Id,
})

const Relation = oneOf(CONSENT_RELATIONS, {
  description: '`self`, a `guardian` who speaks for the client, or another `participant` of the session',
  examples: ['self'],
})

const Language = oneOf(TEXT_LANGUAGES, {
  description: 'Language of the text that was read',
  examples: ['en'],
})

export const textVersionLengthMax = 50

const TextVersion = Type.String({
  minLength: 1,
  maxLength: textVersionLengthMax,
  description: 'Version of the text that was agreed to',
  examples: ['casenote-1'],
})

/** Whose text it is: versions of a clinic, of its organization and of their partner may have the same name. */
export const TEXT_OWNERS = ['clinic', 'organization', 'partner', 'casenote'] as const
export type TextOwner = (typeof TEXT_OWNERS)[number]

const Owner = oneOf(TEXT_OWNERS, {
  description:
    'Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote',
  examples: ['casenote'],
})

/**
 * Tells two clinics' versions of one name apart, whichever clinic the client is of when they sign. The text that comes with Casenote has
 * none: nobody else's has its version's name. It is the one in the examples.
 */
const textId = (description: string) =>
  Type.Union([Type.String({ format: 'uuid', description }), Type.Null()], { examples: [null] })

const TextId = textId('Id of the text; `null`: the one that comes with Casenote')

/** A page or a partner that sends none has it found by version, owner and language. */
const ReadTextId = Type.Optional(
  textId(
    'The `textId` of the consent text that was read. Without it the text is found by what else is said of it, for the clinic that the client is of by now',
  ),
)

/** Which text was shown: who signs says which one it was. */
const ShownText = Type.Object({
  /** A process of before does not tell it. */
  textId: Type.Optional(TextId),
  version: Type.String(),
  owner: oneOf(TEXT_OWNERS),
  language: oneOf(TEXT_LANGUAGES),
  text: Type.String(),
})

/** Chosen by whoever sends it, and kept until there is an answer: sent again it is the same consent. */
const GivenId = Type.Optional(Type.String({ format: 'uuid' }))

export const SignedName = Type.String({
  minLength: 1,
  maxLength: nameLengthMax,
  // A signature of spaces is none.
  'x-trimmed': true,
  description: 'As it was typed',
  examples: ['Juniper Testwell'],
})

export const Consent = Type.Object(
  {
    id: Id,
    clientId: Id,
    personName: Nullable(
      Type.String({
        description: 'Who agreed, as it was typed; `null`: the client, whose name nobody typed',
        examples: ['Juniper Testwell'],
      }),
    ),
    relation: Relation,
    method: oneOf(CONSENT_METHODS, {
      description:
        'Signed on the client’s page, signed in the room on the clinician’s screen or on paper, or given by word',
      examples: ['signed_on_page'],
    }),
    textVersion: TextVersion,
    textOwner: Nullable(Owner),
    textId: textId(
      'Id of the text that was read; `null`: the one that comes with Casenote, or words that nobody kept',
    ),
    language: Nullable(Language),
    status: oneOf(CONSENT_STATUSES, { examples: ['given'] }),
    givenAt: Timestamp,
    attestedBy: SaidBy,
    withdrawnAt: Nullable(Timestamp),
    withdrawnBy: Nullable(SaidBy),
    createdAt: Timestamp,
  },
  { $id: 'Consent' },
)
export type Consent = Static<typeof Consent>

export const ConsentWithText = Type.Object(
  {
    ...Consent.properties,
    text: Nullable(
      Type.String({
        description:
          'The words that were read, whatever is asked by now: paragraphs, with an empty line between them. `null`: nobody kept them, as where a clinician asked in words of their own',
        examples: ['We would like to record this session.'],
      }),
    ),
  },
  { $id: 'ConsentWithText' },
)
export type ConsentWithText = Static<typeof ConsentWithText>

export const ConsentCreate = Type.Object(
  {
    method: oneOf(ATTESTED_METHODS, {
      description: 'How it was given. What is signed on the client’s page is made there',
      examples: ['by_word'],
    }),
    textVersion: TextVersion,
    textOwner: Type.Optional(Nullable(Owner)),
    textId: ReadTextId,
    language: Type.Optional(Nullable(Language)),
    relation: Type.Optional(Nullable(Relation)),
    personName: Type.Optional(Nullable(SignedName)),
  },
  { $id: 'ConsentCreate' },
)
export type ConsentCreate = Static<typeof ConsentCreate>

export const ConsentText = Type.Object(
  {
    clientId: Id,
    textId: TextId,
    version: TextVersion,
    owner: Owner,
    language: Language,
    text: Type.String({
      description: 'Paragraphs, with an empty line between them',
      examples: ['We would like to record this session.'],
    }),
  },
  { $id: 'ConsentText' },
)
export type ConsentText = Static<typeof ConsentText>

export const ConsentTextQuery = Type.Object({
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      description: 'A language tag; without one, or without words in it, the client’s own, else English',
      examples: ['es'],
    }),
  ),
})

export const ConsentLink = Type.Object(
  {
    clientId: Id,
    url: Type.String({
      description: 'For the client alone; shown this once. A new link ends the one before',
      examples: ['https://notes.example.com/c/3f…'],
    }),
    expiresAt: Timestamp,
  },
  { $id: 'ConsentLink' },
)
export type ConsentLink = Static<typeof ConsentLink>

/** What the client's page shows. Nothing of others who were in the room: the link is the client's. */
export const PageConsent = Type.Object({
  clinicName: Type.String(),
  organizationName: Type.String(),
  /** As the client's record says. */
  language: Nullable(Type.String()),
  state: oneOf(CONSENT_STATES),
  text: ShownText,
  consents: Type.Array(
    Type.Object({
      id: Id,
      personName: Nullable(Type.String()),
      relation: oneOf(CONSENT_RELATIONS),
      method: oneOf(CONSENT_METHODS),
      textVersion: Type.String(),
      givenAt: Timestamp,
      withdrawnAt: Nullable(Timestamp),
    }),
  ),
  /** The words that they agreed to then, whatever `text` says now. A process of before does not tell them. */
  signedTexts: Type.Optional(
    Type.Array(Type.Object({ ...ShownText.properties, consentIds: Type.Array(Id) })),
  ),
})
export type PageConsent = Static<typeof PageConsent>

export const PageSignature = Type.Object({
  personName: SignedName,
  relation: oneOf(['self', 'guardian']),
  /** The tick: without it there is no signature. */
  hasAgreed: Type.Literal(true),
  textVersion: TextVersion,
  textOwner: Type.Optional(oneOf(TEXT_OWNERS)),
  textId: ReadTextId,
  consentId: GivenId,
  language: oneOf(TEXT_LANGUAGES),
})
export type PageSignature = Static<typeof PageSignature>

/** Somebody's word in the room, as the clinician wrote it down. */
export const RecordingConsent = Type.Object({
  /** Which text was shown, so that what was agreed to can be told later. */
  textVersion: TextVersion,
  textOwner: Type.Optional(oneOf(TEXT_OWNERS)),
  textId: ReadTextId,
  given: Type.Boolean(),
  consentId: GivenId,
  language: Type.Optional(oneOf(TEXT_LANGUAGES)),
  method: Type.Optional(oneOf(ATTESTED_METHODS)),
  relation: Type.Optional(oneOf(CONSENT_RELATIONS)),
  personName: Type.Optional(SignedName),
})
export type RecordingConsent = Static<typeof RecordingConsent>

/** One consent, whoever gave it. */
export const ConsentWithdrawal = Type.Object({ consentId: Type.String({ format: 'uuid' }) })
export type ConsentWithdrawal = Static<typeof ConsentWithdrawal>

export const WidgetConsents = Type.Object({
  state: oneOf(CONSENT_STATES),
  text: ShownText,
  /** The newest first. */
  consents: Type.Array(Consent),
})
export type WidgetConsents = Static<typeof WidgetConsents>
