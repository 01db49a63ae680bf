export { purgeMails } from './client-mails.sql.js'
export {
  cancelAdministrationMails,
  cancelClientMail,
  findMailStatuses,
  queueClientMail,
} from './queue-client-mail.js'
export { makeMailHandlers, type MailRecipient } from './send-client-mail.js'
export type { MailText } from './compose-mail.js'
export { MailDelayed, MailRefused, makeSmtpTransport, type MailTransport } from './smtp-transport.js'
