import { createHash } from 'node:crypto'
import { newSecretText } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** Tenant and 256 random bits, as in a refresh token: the client's page finds its tenant without looking across them. */
export const newAssignmentToken = (tenant: TenantScope): string =>
  `${tenant.tenantId.replaceAll('-', '')}.${newSecretText()}`

export const hashAssignmentToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const assignmentUrl = (publicUrl: string, token: string): string => `${publicUrl}/a/${token}`
