/**
 * Every word of the pages that is not an instrument's, in one place for translators. A language is one more object of this
 * shape. Month names and the order of a date come from the browser.
 */
export interface Texts {
  /** Of this wording; the page's `lang`. */
  language: string
  openAgain: { title: string; text: string }
  birthDate: {
    title: string
    titleAgain: string
    whyAssessments: string
    whyInvitation: string
    whyAgain: string
    legend: string
    month: string
    day: string
    year: string
    choose: string
    submit: string
    incomplete: string
    refused: string
    tooMany: string
    offline: string
    checking: string
  }
  welcome: {
    title: string
    from(clinicName: string): string
    count(questions: number): string
    saved: string
    private: string
    start: string
  }
  question: {
    progress(position: number, of: number): string
    back: string
    answers: string
    keepsEarlier: string
    keys: string
    next: string
  }
  saving: { saved: string; saving: string; waiting: string; failed: string }
  help: { footer: string; goOn: string; goBack: string }
  send: { title: string; text: string; submit: string; sending: string; waiting: string; review: string }
  done: { title: string; text: string; nothing: string; close: string }
  invitation: {
    title(clinicName: string): string
    from(clinicName: string, organizationName: string): string
    what: string
    choice: string
    accept: string
    decline: string
    accepted: { title: string; text: string }
    declined: { title: string; text: string }
  }
  trouble: { title: string; text: string; again: string }
  loading: string
}

const en: Texts = {
  language: 'en',
  openAgain: {
    title: 'Please open your link again',
    text:
      'For your privacy this page keeps nothing in the browser. The link in the message from your clinic brings you ' +
      'back to where you left off.',
  },
  birthDate: {
    title: 'Is it you?',
    titleAgain: 'Are you still there?',
    whyAssessments: 'Your clinic has some questions for you. Your date of birth keeps them for you alone.',
    whyInvitation: 'Your clinic has an invitation for you. Your date of birth keeps it for you alone.',
    whyAgain: 'For your privacy we closed the page after a pause. Everything you answered is kept.',
    legend: 'Your date of birth',
    month: 'Month',
    day: 'Day',
    year: 'Year',
    choose: 'Choose',
    submit: 'Continue',
    incomplete: 'Please give month, day and year, for example March 14, 1985.',
    refused:
      'This link and this date do not open anything. Please check the date. After five wrong tries, or when it is too ' +
      'old, a link stays closed; your clinic will gladly send you a new one.',
    tooMany: 'There were many tries from your network just now. Please wait a moment and try again.',
    offline: 'We cannot reach your clinic’s service. Please check your connection and try again.',
    checking: 'One moment …',
  },
  welcome: {
    title: 'Good to see you',
    from: (clinicName) => `${clinicName} would like to know how you are doing.`,
    count: (questions) =>
      // Some are asked only after certain answers.
      questions === 1 ? 'One short question' : `Up to ${questions} short questions, one at a time`,
    saved: 'Every answer is saved at once: pause whenever you like and come back with the same link',
    private: 'Only your care team sees what you answer',
    start: 'Begin',
  },
  question: {
    progress: (position, of) => `Question ${position} of ${of}`,
    back: 'Back',
    answers: 'Your answer',
    keepsEarlier: 'You answered this before. Your answer is kept, and not shown here for your privacy.',
    keys: 'On a keyboard, the number keys choose an answer.',
    next: 'Keep it and go on',
  },
  saving: {
    saved: 'Saved',
    saving: 'Saving …',
    waiting: 'No connection. Your answers are kept on this page and sent as soon as it is back.',
    failed: 'An answer could not be saved. Please load the page again.',
  },
  help: { footer: 'Need help right now?', goOn: 'Go on with the questions', goBack: 'Back to the page' },
  send: {
    title: 'That was everything',
    text: 'Thank you for taking the time. Send your answers to your care team, or go back to change one.',
    submit: 'Send my answers',
    sending: 'Sending …',
    waiting: 'No connection. Please keep this page open: your answers are sent as soon as it is back.',
    review: 'Back to the questions',
  },
  done: {
    title: 'Thank you',
    text: 'Your answers have reached your care team. They will talk about them with you.',
    nothing: 'There is nothing to answer right now. Everything has reached your care team.',
    close: 'You can close this page.',
  },
  invitation: {
    title: (clinicName) => `An invitation from ${clinicName}`,
    from: (clinicName, organizationName) =>
      clinicName === organizationName
        ? `${clinicName} invites you to stay in touch between your appointments.`
        : `${clinicName} at ${organizationName} invites you to stay in touch between your appointments.`,
    what:
      'If you accept, your clinic can send you short questions about how you are doing, for you to answer on your phone. ' +
      'Only your care team sees what you answer.',
    choice:
      'It is your choice. Your care does not depend on it, and you can tell your clinic at any time that you changed your mind.',
    accept: 'Accept',
    decline: 'No, thank you',
    accepted: { title: 'Welcome', text: 'You accepted the invitation. Your clinic will be in touch.' },
    declined: {
      title: 'That is all right',
      text: 'You declined the invitation. If you change your mind, your clinic will gladly invite you again.',
    },
  },
  trouble: {
    title: 'We cannot reach your clinic',
    text: 'Please check your connection. Nothing that you answered is lost.',
    again: 'Try again',
  },
  loading: 'One moment …',
}

const all: Record<string, Texts> = { en }

/** The reader's first language that we have, else English. */
export function pickTexts(languages: readonly string[]): Texts {
  for (const language of languages) {
    const found = all[language] ?? all[language.split('-')[0] ?? '']
    if (found !== undefined) return found
  }
  return en
}
