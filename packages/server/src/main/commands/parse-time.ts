import { InvalidArgumentError } from 'commander'

/** With its zone: what an operator means by 9 o'clock must not depend on the machine. */
export function parseTime(text: string): Date {
  const time = new Date(text)
  if (
    !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text) ||
    Number.isNaN(time.getTime())
  ) {
    throw new InvalidArgumentError('It must be a date, or a time with its zone as 2026-11-15T09:00Z.')
  }
  return time
}
