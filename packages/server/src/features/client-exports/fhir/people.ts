import type { Client } from '@casenote/contract'
import type { NamedClinic, NamedClinician, NamedUnit } from '../known-names.js'
import { externalIdentifier, makeResource, ownIdentifier, referTo, type Resource } from './resource.js'

export const toPatient = (client: Client): Resource =>
  makeResource('Patient', client.id, {
    identifier: [ownIdentifier(client.id), externalIdentifier(client.externalId)],
    active: client.status !== 'archived',
    name: [{ family: client.lastName, given: [client.firstName] }],
    birthDate: client.dateOfBirth,
    telecom: [
      client.email === null ? null : { system: 'email', value: client.email },
      client.phoneNumber === null ? null : { system: 'phone', value: client.phoneNumber },
    ],
    communication:
      client.language === null
        ? []
        : [
            {
              language: { coding: [{ system: 'urn:ietf:bcp:47', code: client.language }] },
              preferred: true,
            },
          ],
    generalPractitioner: [referTo(client.clinicianId)],
    managingOrganization: referTo(client.clinicId),
  })

export const toOrganization = ({ id, name }: NamedUnit): Resource =>
  makeResource('Organization', id, { identifier: [ownIdentifier(id)], name })

export const toClinicOrganization = ({ id, name, organization }: NamedClinic): Resource =>
  makeResource('Organization', id, {
    identifier: [ownIdentifier(id)],
    name,
    partOf: referTo(organization.id),
  })

export const toPractitioner = ({ id, firstName, lastName }: NamedClinician): Resource =>
  makeResource('Practitioner', id, {
    identifier: [ownIdentifier(id)],
    name: [{ family: lastName, given: [firstName] }],
  })
