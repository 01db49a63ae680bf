import type { MailTexts } from './mail-texts.js'

export const en: MailTexts = {
  assessments: {
    subject: 'Please answer a few questions',
    lead: 'You are asked to answer a few questions before your next appointment. It takes some minutes, and you can stop and go on later.',
    button: 'Open the questions',
  },
  invitation: {
    subject: 'You have an invitation',
    lead: 'You are invited to take part. The page tells you by whom and what for; you can accept or decline there.',
    button: 'Open the invitation',
  },
  until: 'The link works until {date}.',
  asking: 'You will be asked for your date of birth, so that nobody else can open it.',
  unexpected: 'If you did not expect this message, you can ignore it. Please do not forward it.',
  copyAddress: 'If the button does not work, copy this address:',
  also: 'The page can also be read in English.',
}
