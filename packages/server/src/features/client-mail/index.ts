export { purgeMails } from './client-mails.sql.js'
export { cancelClientMail, findMailStatuses, queueClientMail } from './queue-client-mail.js'
export { makeMailHandlers } from './send-client-mail.js'
export { makeSmtpTransport } from './smtp-transport.js'
