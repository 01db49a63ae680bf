export const assignmentUrl = (publicUrl: string, token: string): string => `${publicUrl}/a/${token}`
