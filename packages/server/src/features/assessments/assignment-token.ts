export {
  hashLinkToken as hashAssignmentToken,
  newLinkToken as newAssignmentToken,
} from '../../kernel/link-tokens.js'

export const assignmentUrl = (publicUrl: string, token: string): string => `${publicUrl}/a/${token}`
