import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface TitleProps {
  children: ComponentChildren
  /** The id of what is read out after it. */
  describedBy?: string | undefined
}

/**
 * A heading that takes the focus when its screen appears: a screen reader then says where one is, and the number keys
 * of the question are at work without a tap.
 */
export function Title({ children, describedBy }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} aria-describedby={describedBy}>
      {children}
    </h1>
  )
}

/** One thing to read and one thing to do. */
export function Card({ children }: { children: ComponentChildren }) {
  return <div class="card">{children}</div>
}
