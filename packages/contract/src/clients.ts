import { Type, type Static } from 'typebox'
import { Email, ExternalId, Id, LanguageTag, Nullable, oneOf, PersonName, Timestamp } from './fields.js'
import { RecordingConsentState } from './consents.js'
import { PageQuery } from './lists.js'

/** Contract part 3. */
export const CLIENT_STATUSES = [
  'awaiting_invite',
  'active',
  'archived',
  'declined',
  'invite_sent',
  'pending',
  'unknown',
] as const
export type ClientStatus = (typeof CLIENT_STATUSES)[number]

const FirstName = Type.String({ maxLength: 200, examples: ['Juniper'] })

const DateOfBirth = Type.String({
  format: 'date',
  description: 'ISO 8601 date, a real day from 1880 until today',
  examples: ['1991-04-12'],
  // Read by `validate.ts`: nobody alive was born earlier or will be born later.
  'x-date-minimum': '1880-01-01',
  'x-date-maximum': 'today',
})

const PhoneNumber = Type.String({
  maxLength: 64,
  description: 'Begins with `+` and the calling code; kept and matched as given',
  examples: ['+12025550100'],
})

const Language = Type.String({
  ...LanguageTag,
  description:
    'What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`)',
})

/** More programs than any organization runs; bounded so that one request stays one small statement. */
const ProgramIds = Type.Array(Id, { maxItems: 100, description: "Programs of the client's organization" })

export const Client = Type.Object(
  {
    id: Id,
    firstName: Nullable(FirstName),
    lastName: PersonName,
    externalId: Nullable(ExternalId),
    email: Nullable(Email),
    phoneNumber: Nullable(PhoneNumber),
    dateOfBirth: DateOfBirth,
    language: Nullable(Language),
    status: oneOf(CLIENT_STATUSES, { examples: ['active'] }),
    clinicianId: Id,
    clinicId: Id,
    organizationId: Id,
    programIds: ProgramIds,
    recordingConsent: RecordingConsentState,
    createdAt: Timestamp,
  },
  { $id: 'Client' },
)
export type Client = Static<typeof Client>

const optionalFields = {
  firstName: Type.Optional(Nullable(FirstName)),
  email: Type.Optional(Nullable(Email)),
  phoneNumber: Type.Optional(Nullable(PhoneNumber)),
  externalId: Type.Optional(Nullable(ExternalId)),
  language: Type.Optional(Nullable(Language)),
  programIds: Type.Optional(Nullable(ProgramIds)),
}

export const ClientInput = Type.Object(
  { lastName: PersonName, dateOfBirth: DateOfBirth, ...optionalFields },
  { $id: 'ClientInput' },
)
export type ClientInput = Static<typeof ClientInput>

export const ClientPatch = Type.Object(
  { lastName: Type.Optional(PersonName), dateOfBirth: Type.Optional(DateOfBirth), ...optionalFields },
  { $id: 'ClientPatch', description: 'What is left out stays; `null` clears an optional field' },
)
export type ClientPatch = Static<typeof ClientPatch>

/** Free filters cannot be wrong: what cannot match gives an empty list (ruling 2). */
const sharedFilters = {
  ...PageQuery.properties,
  externalId: Type.Optional(Type.String({ description: 'Exact match' })),
  firstName: Type.Optional(Type.String({ description: 'Exact match' })),
  lastName: Type.Optional(Type.String({ description: 'Exact match' })),
  name: Type.Optional(
    Type.String({
      description:
        'Free text across first and last name: every word is found anywhere in the name, in any order, ignoring case',
      examples: ['ann smi'],
    }),
  ),
  email: Type.Optional(Type.String({ description: 'Exact match, case included' })),
  phoneNumber: Type.Optional(
    Type.String({ description: 'Exact match; a `+` that arrived as a space is read as `+`' }),
  ),
  dateOfBirth: Type.Optional(Type.String({ format: 'date', description: 'ISO 8601 date' })),
  status: Type.Optional(oneOf(CLIENT_STATUSES)),
}

export const ClinicianClientFilters = Type.Object(sharedFilters)
export type ClinicianClientFilters = Static<typeof ClinicianClientFilters>

export const ClinicClientFilters = Type.Object({
  ...sharedFilters,
  clinicianId: Type.Optional(Type.String({ description: 'Primary or secondary clinician' })),
})
export type ClinicClientFilters = Static<typeof ClinicClientFilters>

export const InvitedClient = Type.Object(
  {
    ...Client.properties,
    inviteUrl: Type.String({
      format: 'uri',
      description: 'Hand it to the client. Shown once; a later invitation replaces it',
      examples: ['https://casenote.example/i/V8xk3...'],
    }),
    isEmailed: Type.Boolean({
      description:
        "Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over",
    }),
  },
  { $id: 'InvitedClient' },
)
export type InvitedClient = Static<typeof InvitedClient>

export const ClientTransfer = Type.Object(
  { clinicianId: Type.String({ ...Id, description: "A clinician of the client's organization" }) },
  { $id: 'ClientTransfer' },
)

export const SecondaryClinicians = Type.Object(
  { clinicianIds: Type.Array(Id, { description: 'All who are assigned now' }) },
  { $id: 'SecondaryClinicians' },
)
export type SecondaryClinicians = Static<typeof SecondaryClinicians>

export const SecondaryCliniciansInput = Type.Object(
  {
    clinicianIds: Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      description: "Clinicians of the client's organization",
    }),
  },
  { $id: 'SecondaryCliniciansInput' },
)
