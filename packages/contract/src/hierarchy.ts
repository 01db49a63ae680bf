import { Type, type Static } from 'typebox'
import { Id, Timestamp } from './fields.js'

export const Organization = Type.Object(
  { id: Id, name: Type.String({ examples: ['Riverbend Behavioral Health'] }), createdAt: Timestamp },
  { $id: 'Organization' },
)
export type Organization = Static<typeof Organization>

export const Clinic = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Riverbend Downtown'] }),
    organizationId: Id,
    createdAt: Timestamp,
  },
  { $id: 'Clinic' },
)
export type Clinic = Static<typeof Clinic>

export const Program = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Intensive Outpatient'] }),
    organizationId: Id,
    createdAt: Timestamp,
  },
  { $id: 'Program' },
)
export type Program = Static<typeof Program>
