export { cancelClientMail, findMailStatuses, queueClientMail } from './queue-client-mail.js'
export { makeMailHandlers } from './send-client-mail.js'
export { makeSmtpTransport, type SmtpSettings } from './smtp-transport.js'
