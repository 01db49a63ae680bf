import { describe, expect, it } from 'vitest'
import { readBirthDate } from '../src/read-birth-date.js'

describe('a birth date', () => {
  const today = new Date('2026-11-15T12:00:00Z')
  it.each([
    [{ month: '2', day: '3', year: '1990' }, '1990-02-03'],
    [{ month: '02', day: ' 29 ', year: '2024' }, '2024-02-29'],
    [{ month: '2', day: '29', year: '2023' }, null],
    [{ month: '2', day: '30', year: '1990' }, null],
    [{ month: '', day: '3', year: '1990' }, null],
    [{ month: '2', day: '3', year: '90' }, null],
    [{ month: '13', day: '1', year: '1990' }, null],
    [{ month: '12', day: '1', year: '2026' }, null],
    [{ month: '1', day: '1', year: '1066' }, null],
    [{ month: '1', day: '-1', year: '1990' }, null],
  ])('%j is %s', (given, read) => {
    expect(readBirthDate(given, today)).toBe(read)
  })
})
