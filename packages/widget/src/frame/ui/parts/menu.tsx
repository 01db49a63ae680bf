import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'

export interface MenuItem {
  title: string
  icon: IconName
  choose: () => void
}

/** The menu button of the ARIA practices: arrow keys, Home, End and Escape; what is chosen begins at the button again. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const isOpen = useSignal(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    isOpen.value = false
    button.current?.focus()
  }
  useLayoutEffect(() => {
    if (!isOpen.value) return undefined
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const closeOutside = ({ target }: Event): void => {
      if (!box.current?.contains(target as Node)) isOpen.value = false
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen.value])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen.value) return
    if (event.key === 'Tab') isOpen.value = false
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    }
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all[next % all.length]?.focus()
  }
  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="button square"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name="more" />
      </button>
      {isOpen.value ? (
        <div class="menu-items" role="menu" aria-label={label}>
          {items.map(({ title, icon, choose }) => (
            <button
              key={title}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                choose()
              }}
            >
              <Icon name={icon} />
              {title}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
