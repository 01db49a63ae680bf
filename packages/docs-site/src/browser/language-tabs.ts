import { makeElement } from './make-element.js'

const storageKey = 'casenote-docs-language'

interface Tabs {
  select(language: string): void
}

/** One choice for all snippets of all pages. */
export function makeLanguageTabs(): void {
  const all: Tabs[] = []
  const choose = (language: string, chosen: HTMLElement): void => {
    const before = chosen.getBoundingClientRect().top
    for (const tabs of all) tabs.select(language)
    // Snippets above change their height; what the reader looks at stays where it is.
    scrollBy(0, chosen.getBoundingClientRect().top - before)
    remember(language)
  }
  for (const [index, snippet] of [...document.querySelectorAll<HTMLElement>('.snippet')].entries()) {
    all.push(makeTabs(snippet, index, choose))
  }
  const chosen = recall()
  for (const tabs of all) tabs.select(chosen)
}

function makeTabs(
  snippet: HTMLElement,
  index: number,
  choose: (language: string, chosen: HTMLElement) => void,
): Tabs {
  const panels = [...snippet.querySelectorAll<HTMLElement>('.language')]
  const list = makeElement('div', { role: 'tablist', 'aria-label': 'Language' })
  const tabs = panels.map((panel) => {
    const language = panel.dataset['language'] ?? ''
    const id = `snippet-${index}-${language}`
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    panel.querySelector('.label')?.remove()
    const tab = makeElement(
      'button',
      { type: 'button', role: 'tab', id, 'aria-controls': panel.id },
      language,
    )
    tab.addEventListener('click', () => choose(language, tab))
    list.append(tab)
    return { tab, panel, language }
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex(({ tab }) => tab === document.activeElement)
    const next = tabs[(at + stepOf(event.key, at, tabs.length) + tabs.length) % tabs.length]
    if (next === undefined || next.tab === document.activeElement) return
    event.preventDefault()
    next.tab.focus()
    choose(next.language, next.tab)
  })
  snippet.prepend(list)
  return {
    select(language) {
      const known = tabs.some((one) => one.language === language) ? language : tabs[0]?.language
      for (const one of tabs) {
        const isChosen = one.language === known
        one.tab.setAttribute('aria-selected', String(isChosen))
        one.tab.tabIndex = isChosen ? 0 : -1
        one.panel.hidden = !isChosen
      }
    },
  }
}

function stepOf(key: string, at: number, count: number): number {
  if (key === 'ArrowRight') return 1
  if (key === 'ArrowLeft') return -1
  if (key === 'Home') return -at
  return key === 'End' ? count - 1 - at : 0
}

/** Storage can be forbidden; then the choice is good for the page. */
function remember(language: string): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Nothing is lost but the choice.
  }
}

function recall(): string {
  try {
    return localStorage.getItem(storageKey) ?? ''
  } catch {
    return ''
  }
}
