/** Properties, never markup: the page's policy allows no other way. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  content: (Node | string)[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...content)
  return element
}

export interface Tabs {
  element: HTMLElement
  select(index: number): void
}

/** The tab pattern of the ARIA practices. */
export function makeTabs(
  label: string,
  tabs: readonly { title: string; content: (Node | string)[] }[],
): Tabs {
  const made = tabs.map(({ title, content }, index) => {
    const tab = make('button', { type: 'button', role: 'tab', id: `tab-${index}` }, [title])
    const panel = make('div', { role: 'tabpanel', id: `panel-${index}`, className: 'panel' }, content)
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('aria-labelledby', tab.id)
    tab.addEventListener('click', () => select(index))
    return { tab, panel }
  })
  const select = (chosen: number): void => {
    for (const [index, { tab, panel }] of made.entries()) {
      tab.setAttribute('aria-selected', String(index === chosen))
      tab.tabIndex = index === chosen ? 0 : -1
      panel.hidden = index !== chosen
    }
  }
  const list = make('div', { role: 'tablist', ariaLabel: label, className: 'tabs' })
  list.append(...made.map(({ tab }) => tab))
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const at = made.findIndex(({ tab }) => tab.tabIndex === 0)
    const next = (at + step + made.length) % made.length
    select(next)
    made[next]?.tab.focus()
  })
  select(0)
  return { element: make('div', { className: 'tabbed' }, [list, ...made.map(({ panel }) => panel)]), select }
}
