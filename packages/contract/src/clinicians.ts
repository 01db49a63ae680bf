import { Type, type Static } from 'typebox'
import { Email, ExternalId, Id, Nullable, oneOf, PersonName, Timestamp } from './fields.js'
import { PageQuery } from './lists.js'
import { NOTE_TYPES } from './notes.js'

const DefaultNoteType = oneOf(NOTE_TYPES, {
  description: 'Used for sessions that name no note type. A prescriber note type needs a prescriber',
  examples: ['soap'],
})

const Prescriber = Type.Boolean({ description: 'May use prescriber note types', examples: [false] })

const SupervisorId = Type.String({
  format: 'uuid',
  description:
    'Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to',
  examples: ['7d6a1c7e-92a4-4d0b-9b1e-0a4f6a0c2d11'],
})

export const Clinician = Type.Object(
  {
    id: Id,
    firstName: PersonName,
    lastName: PersonName,
    email: Email,
    externalId: Nullable(ExternalId),
    clinicId: Id,
    prescriber: Prescriber,
    defaultNoteType: Nullable(DefaultNoteType),
    supervisorId: Nullable(SupervisorId),
    active: Type.Boolean({
      description: 'False while deactivated: no tokens, no new sessions; what they recorded and wrote stays',
      examples: [true],
    }),
    createdAt: Timestamp,
  },
  { $id: 'Clinician' },
)
export type Clinician = Static<typeof Clinician>

export const ClinicianInput = Type.Object(
  {
    firstName: PersonName,
    lastName: PersonName,
    email: Email,
    externalId: Type.Optional(Nullable(ExternalId)),
    prescriber: Type.Optional(Prescriber),
    defaultNoteType: Type.Optional(Nullable(DefaultNoteType)),
    supervisorId: Type.Optional(Nullable(SupervisorId)),
  },
  { $id: 'ClinicianInput' },
)
export type ClinicianInput = Static<typeof ClinicianInput>

export const ClinicianPatch = Type.Object(
  {
    firstName: Type.Optional(PersonName),
    lastName: Type.Optional(PersonName),
    email: Type.Optional(Email),
    externalId: Type.Optional(Nullable(ExternalId)),
    prescriber: Type.Optional(Prescriber),
    defaultNoteType: Type.Optional(Nullable(DefaultNoteType)),
    supervisorId: Type.Optional(Nullable(SupervisorId)),
  },
  { $id: 'ClinicianPatch', description: 'What is left out stays; `null` clears an optional field' },
)
export type ClinicianPatch = Static<typeof ClinicianPatch>

/** Exact, combined with AND. None can be wrong: what cannot match gives an empty list (ruling 2). */
export const ClinicianFilters = Type.Object({
  ...PageQuery.properties,
  id: Type.Optional(Type.String({ description: 'Exact match' })),
  firstName: Type.Optional(Type.String({ description: 'Exact match' })),
  lastName: Type.Optional(Type.String({ description: 'Exact match' })),
  email: Type.Optional(Type.String({ description: 'Exact match, case included' })),
  externalId: Type.Optional(Type.String({ description: 'Exact match' })),
})
export type ClinicianFilters = Static<typeof ClinicianFilters>
