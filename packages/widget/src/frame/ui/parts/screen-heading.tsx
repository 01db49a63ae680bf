import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useTexts } from '../ui-context.js'
import { Button } from './button.js'

interface ScreenHeadingProps {
  title: ComponentChildren
  detail?: ComponentChildren
  /** In the heading's own line. */
  beside?: ComponentChildren
  onBack?: () => void
  /** The focus moves here when it changes: another screen. */
  focusKey?: string
}

/** The one first heading of a screen. */
export function ScreenHeading({ title, detail, beside, onBack, focusKey }: ScreenHeadingProps) {
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Only when the clinician is in the frame: the page around it must not lose its focus to us.
    if (document.hasFocus()) heading.current?.focus()
  }, [focusKey])
  return (
    <div class="screen-heading">
      {onBack === undefined ? null : (
        <Button kind="quiet" icon="back" label={texts.general.back} onClick={onBack} />
      )}
      <div class="grow">
        <div class="heading-line">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {detail === undefined ? null : <div class="muted detail">{detail}</div>}
      </div>
    </div>
  )
}
