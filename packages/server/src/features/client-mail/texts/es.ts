import type { MailTexts } from './mail-texts.js'

export const es: MailTexts = {
  assessments: {
    subject: 'Le pedimos que responda unas preguntas',
    lead: 'Le pedimos que responda unas preguntas antes de su próxima cita. Le tomará unos minutos; puede detenerse y continuar más tarde.',
    button: 'Abrir las preguntas',
  },
  invitation: {
    subject: 'Tiene una invitación',
    lead: 'Ha recibido una invitación para participar. En la página verá quién le invita y para qué; allí puede aceptarla o rechazarla.',
    button: 'Abrir la invitación',
  },
  until: 'El enlace funciona hasta el {date}.',
  asking: 'Se le pedirá su fecha de nacimiento, para que nadie más pueda abrirlo.',
  unexpected: 'Si no esperaba este mensaje, puede ignorarlo. Por favor, no lo reenvíe.',
  copyAddress: 'Si el botón no funciona, copie esta dirección:',
  also: 'La página también se puede leer en español.',
}
