import { describe, expect, it } from 'vitest'
import { filledText, messageTemplates, mostSegments, openPlaceholders, plainText, smsSize } from '#contract/patients/message-text.ts'

const facts = { first_name: 'Zoë', clinic_name: 'Downtown', staff_name: 'Ana Teixeira', recall_date: null }

describe('placeholders', () => {
  it('are filled with what is known, and the others stay to be filled in by hand', () => {
    const text = filledText('Hello {first_name}, {clinic_name} on {date}, {recall_date}', facts)
    expect(text).toBe('Hello Zoë, Downtown on {date}, {recall_date}')
    expect(openPlaceholders(`${text} {date}`)).toEqual(['{date}', '{recall_date}'])
  })

  it('are not looked for in what was filled in, nor among the words of every object', () => {
    expect(filledText('{first_name} {constructor}', { ...facts, first_name: '{clinic_name}' })).toBe('{clinic_name} {constructor}')
  })

  it.each(messageTemplates)('of the template $title leave at most a date and a time', ({ sms, email }) => {
    const whole = { ...facts, recall_date: 'Nov 21, 2026' }
    for (const text of [sms, email.subject, email.text]) {
      for (const open of openPlaceholders(filledText(text, whole))) expect(['{date}', '{time}']).toContain(open)
    }
    expect(
      smsSize(filledText(sms, { ...whole, first_name: 'Maximiliana', clinic_name: 'Downtown Eye Care' }).replaceAll(/[{}]/g, '')).segments,
    ).toBe(1)
  })
})

describe('the size of a text message', () => {
  it.each([
    ['', 'plain', 0, 0, 160],
    ['a'.repeat(160), 'plain', 160, 1, 0],
    ['a'.repeat(161), 'plain', 161, 2, 145],
    ['a'.repeat(306), 'plain', 306, 2, 0],
    ['a'.repeat(307), 'plain', 307, 3, 152],
    ['Grüße à Ñandú? ¿Sí?', 'unicode', 19, 1, 51],
    ['€'.repeat(80), 'plain', 160, 1, 0],
    ['é'.repeat(160), 'plain', 160, 1, 0],
    ['ç'.repeat(70), 'unicode', 70, 1, 0],
    ['ç'.repeat(71), 'unicode', 71, 2, 63],
    ['😀'.repeat(35), 'unicode', 70, 1, 0],
    // 33 whole characters fill 66 of 67 units: the next begins the next segment.
    ['😀'.repeat(36), 'unicode', 72, 2, 61],
    // An escape and its character stay together: 152 + 2 do not fit into 153.
    [`${'a'.repeat(152)}€${'a'.repeat(10)}`, 'plain', 164, 2, 141],
  ])('of %j', (text, encoding, units, segments, left) => {
    expect(smsSize(text)).toMatchObject({ encoding, units, segments, left })
  })

  it('names what makes it dear, and most of that can be written plainly', () => {
    const text = 'It’s “ready” – come… 👓'
    expect(smsSize(text).dear).toEqual(['’', '“', '”', '–', '…', '👓'])
    expect(smsSize(plainText(text)).dear).toEqual(['👓'])
    expect(plainText(text)).toBe('It\'s "ready" - come... 👓')
  })

  it('has a limit that six full segments reach', () => {
    expect(smsSize('a'.repeat(153 * mostSegments)).segments).toBe(mostSegments)
  })
})
