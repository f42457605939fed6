import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'

function logged(error: unknown): string {
  let text = ''
  const log = createLog('info', { write: (line) => void (text += line) })
  log.error({ err: error }, 'it failed')
  return text
}
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('the log entry of an error', () => {
  test('has kind, message and place of our own error', () => {
    const text = logged(new TypeError('there is no such thing'))
    for (const part of ['TypeError', 'there is no such thing', 'log.test.ts']) expect(text).toContain(part)
  })

  test.each([
    ['a row that the database quotes', Object.assign(new Error('null value'), { code: '23502', detail: 'Failing row contains (hunter2)' })],
    ['a value that the database quotes', Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), { code: '22P02' })],
    ['what a schema was given', thrownBy(() => v.parse(v.object({ name: v.number() }), { name: 'hunter2' }))],
    ['what a parser was given', thrownBy(() => JSON.parse('hunter2') as unknown)],
    ['what was thrown in place of an error', 'hunter2'],
  ])('never has %s', (_, error) => {
    const text = logged(error)
    expect(text).toContain('it failed')
    expect(text).not.toContain('hunter2')
  })
})
