import type { CrisisHelp as Help, TextLanguage } from '@casenote/contract'
import { useEffect } from 'preact/hooks'
import type { ClientPage } from './client-page.js'
import type { Questionnaire } from './questionnaire.js'
import { BirthDate } from './screens/birth-date.js'
import { Consent } from './screens/consent.js'
import { CrisisHelp } from './screens/crisis-help.js'
import { Invitation } from './screens/invitation.js'
import { Done, OpenAgain, Send, Trouble, Welcome } from './screens/messages.js'
import { Question } from './screens/question.js'
import { getTexts, type Texts } from './texts/texts.js'

interface AppProps {
  page: ClientPage
  texts: Texts
  help: Help
}

/** Help and the other language are one tap away on every screen. */
export function App({ page, help }: Omit<AppProps, 'texts'>) {
  const { questionnaire, isHelpOpen, language } = page
  const texts = getTexts(language.current.value)
  useEffect(() => {
    document.documentElement.lang = texts.language
    document.title = texts.title
  }, [texts])
  const isAnswering = page.screen.value.is === 'questionnaire'
  const isHelpShown = isHelpOpen.value || (isAnswering && questionnaire.place.value.is === 'help')
  return (
    <>
      <header>
        {language.others.value.map((other) => (
          <LanguageButton key={other} language={other} onPick={() => void page.pickLanguage(other)} />
        ))}
      </header>
      <main>
        {isHelpOpen.value ? (
          <CrisisHelp {...{ texts, help }} label={texts.help.goBack} onGoOn={() => page.closeHelp()} />
        ) : (
          <Shown {...{ page, texts, help }} />
        )}
      </main>
      <footer>
        {isAnswering && <Saving texts={texts} questionnaire={questionnaire} />}
        {!isHelpShown && (
          <button class="quiet" type="button" onClick={() => page.seekHelp()}>
            {texts.help.footer}
          </button>
        )}
      </footer>
    </>
  )
}

/** By its own name: whoever looks for it reads no other. */
function LanguageButton({ language, onPick }: { language: TextLanguage; onPick: () => void }) {
  return (
    <button class="quiet" type="button" lang={language} onClick={onPick}>
      {getTexts(language).name}
    </button>
  )
}

function Shown({ page, texts, help }: AppProps) {
  const { value: screen } = page.screen
  const isBusy = page.isBusy.value
  switch (screen.is) {
    case 'loading':
      return <p class="loading">{texts.loading}</p>
    case 'openAgain':
      return <OpenAgain texts={texts} />
    case 'birthDate':
      return (
        <BirthDate
          {...{ texts, isBusy, ...screen }}
          kind={page.memory?.kind ?? 'assessments'}
          onGive={(date) => void page.giveBirthDate(date)}
        />
      )
    case 'trouble':
      return <Trouble texts={texts} onAgain={() => void page.load()} />
    case 'invitation':
      return (
        <Invitation
          {...{ texts, isBusy }}
          invitation={screen.invitation}
          onAnswer={(isAccepted) => void page.answerInvitation(isAccepted)}
        />
      )
    case 'consent':
      return (
        <Consent
          {...{ texts, isBusy }}
          consent={screen.consent}
          hasFailed={screen.hasFailed}
          onSign={(signature) => void page.signConsent(signature)}
          onWithdraw={() => void page.withdrawConsent()}
        />
      )
    case 'done':
      return <Done texts={texts} hadNothing={screen.hadNothing} />
    case 'questionnaire':
      return <Answering {...{ texts, help }} questionnaire={page.questionnaire} />
    default:
      return screen satisfies never
  }
}

function Answering({
  texts,
  help,
  questionnaire,
}: Omit<AppProps, 'page'> & { questionnaire: Questionnaire }) {
  const { value: place } = questionnaire.place
  switch (place.is) {
    case 'welcome':
      return <Welcome {...{ texts, questionnaire }} />
    case 'question':
      return <Question {...{ texts, questionnaire }} at={place.at} />
    case 'help':
      return <CrisisHelp {...{ texts, help }} label={texts.help.goOn} onGoOn={() => questionnaire.back()} />
    case 'send':
      return <Send {...{ texts, questionnaire }} />
    default:
      return place satisfies never
  }
}

/** Says that answers are safe, and loudly that they are not yet. */
function Saving({ texts, questionnaire }: { texts: Texts; questionnaire: Questionnaire }) {
  const { value: state } = questionnaire.queue.state
  const { value: place } = questionnaire.place
  const text = place.is === 'send' && state === 'waiting' ? texts.send.waiting : texts.saving[state]
  return (
    <p class={`saving ${state}`} role="status">
      {place.is === 'welcome' ? '' : text}
    </p>
  )
}
