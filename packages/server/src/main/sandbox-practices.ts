import {
  applyClientAction,
  assignSecondaryClinicians,
  createClient,
  type ClientAction,
} from '../features/clients/index.js'
import { createClinician } from '../features/clinicians/index.js'
import { provisionOrganization, provisionUnit } from '../features/organizations/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { ClientId, ClinicId, ClinicianId, OrganizationId, ProgramId } from '../kernel/ids.js'
import { operator } from '../kernel/operator.js'
import { inventPerson } from './sandbox-people.js'

/** What scripts find in sandbox-credentials.json. */
export interface SandboxIds {
  organizationId: OrganizationId
  clinicId: ClinicId
  clinicianId: ClinicianId
  prescriberId: ClinicianId
  clientIds: ClientId[]
}

interface Practice {
  name: string
  programs: readonly string[]
  clinics: readonly { name: string; clinicians: readonly NewClinician[]; clients: number }[]
}

type NewClinician = readonly [firstName: string, lastName: string, kind: 'therapist' | 'prescriber']

/** Two organizations, so that what is kept apart can be seen; enough clients for pages, filters and searches. */
const practices: readonly Practice[] = [
  {
    name: 'Riverbend Behavioral Health',
    programs: ['Intensive Outpatient', 'Medication Management', 'DBT Skills Group'],
    clinics: [
      {
        name: 'Riverbend Downtown',
        clinicians: [
          ['Mara', 'Ellison', 'therapist'],
          ['Tobias', 'Renner', 'prescriber'],
          ['Imani', 'Okafor', 'therapist'],
        ],
        clients: 184,
      },
      { name: 'Riverbend Lakeside', clinicians: [['Lucian', 'Vale', 'prescriber']], clients: 37 },
    ],
  },
  {
    name: 'Harborlight Counseling',
    programs: ['Grief and Loss', 'Perinatal Support'],
    clinics: [
      {
        name: 'Harborlight Main Street',
        clinicians: [
          ['Saoirse', 'Lindqvist', 'therapist'],
          ['Pavel', 'Marchetti', 'prescriber'],
        ],
        clients: 79,
      },
    ],
  },
]

/** Ways through the status machine that end in every status; most clients are active, as in a practice. */
const journeys: readonly { status?: 'unknown'; actions: readonly ClientAction[] }[] = [
  { actions: ['startFirstSession'] },
  { actions: ['invite', 'openInvitation', 'acceptInvitation'] },
  { actions: [] },
  { actions: ['startFirstSession'] },
  { actions: ['invite'] },
  { actions: ['invite', 'openInvitation'] },
  { actions: ['startFirstSession', 'archive'] },
  { actions: ['invite', 'openInvitation', 'declineInvitation'] },
  { actions: ['startFirstSession'] },
  { status: 'unknown', actions: [] },
]

/** The first of a clinic are as they were created: good for a first session or invitation. */
const untouchedCount = 8

export async function provisionPractices(tx: Tx): Promise<SandboxIds> {
  const found: SandboxIds[] = []
  for (const practice of practices) found.push(await provisionPractice(tx, practice))
  const [first] = found
  if (first === undefined) throw new Error('the sandbox has no practice')
  return first
}

async function provisionPractice(tx: Tx, practice: Practice): Promise<SandboxIds> {
  const organizationId = await provisionOrganization(tx, practice.name)
  const programIds: ProgramId[] = []
  for (const name of practice.programs)
    programIds.push(await provisionUnit(tx, 'programs', { organizationId, name }))
  const clinics: SandboxIds[] = []
  for (const { name, clinicians, clients } of practice.clinics) {
    const clinicId = await provisionUnit(tx, 'clinics', { organizationId, name })
    const staff = await hire(tx, clinicId, clinicians)
    const clientIds: ClientId[] = []
    for (let index = 0; index < clients; index += 1) {
      clientIds.push(await admit(tx, { clinic: name, index, staff: staff.ids, programIds }))
    }
    clinics.push({ organizationId, clinicId, ...staff.roles, clientIds: clientIds.slice(0, untouchedCount) })
  }
  return clinics[0] as SandboxIds
}

async function hire(tx: Tx, clinicId: ClinicId, clinicians: readonly NewClinician[]) {
  const ids: string[] = []
  const roles = { clinicianId: '', prescriberId: '' }
  for (const [firstName, lastName, kind] of clinicians) {
    const email = `${firstName}.${lastName}@example.com`.toLowerCase()
    const prescriber = kind === 'prescriber'
    const person = { firstName, lastName, email, externalId: `staff-${lastName.toLowerCase()}` }
    const id = await createClinician(tx, { clinicId, ...person, prescriber, defaultNoteType: null }, operator)
    ids.push(id)
    roles[prescriber ? 'prescriberId' : 'clinicianId'] ||= id
  }
  return { ids, roles }
}

interface Admission {
  clinic: string
  index: number
  staff: readonly ClinicianId[]
  programIds: readonly ProgramId[]
}

async function admit(tx: Tx, { clinic, index, staff, programIds }: Admission): Promise<ClientId> {
  const clinicianId = staff[index % staff.length] ?? ''
  const journey =
    index < untouchedCount ? { actions: [] } : (journeys[index % journeys.length] ?? { actions: [] })
  const program = programIds[index % (programIds.length + 1)]
  const clientId = await createClient(
    tx,
    {
      clinicianId,
      ...inventPerson(clinic, index),
      programIds: program === undefined ? [] : [program],
      ...('status' in journey && journey.status !== undefined ? { status: journey.status } : {}),
    },
    operator,
  )
  for (const action of journey.actions) await applyClientAction(tx, clientId, action)
  const colleague = staff[(index + 1) % staff.length]
  if (index % 7 === 3 && colleague !== undefined && colleague !== clinicianId) {
    await assignSecondaryClinicians(tx, clientId, [colleague], operator)
  }
  return clientId
}
