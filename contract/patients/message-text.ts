/**
 * Texts to patients: the templates, the placeholders for a patient's facts, and the cost of a text message. Pure
 * functions, because the screen previews the message that the server will send.
 */

/** The values of the placeholders. An unknown one is null, and the user fills it in by hand. */
export type TextFacts = {
  first_name: string
  clinic_name: string
  staff_name: string
  recall_date: string | null
}

type Template = { key: string; title: string; sms: string; email: { subject: string; text: string } }

/** No template mentions a person's health: anybody who sees the phone's screen can read it. */
export const messageTemplates = [
  {
    key: 'glasses-ready',
    title: 'Glasses ready',
    sms: 'Hello {first_name}, your glasses are ready for pickup at {clinic_name}.',
    email: {
      subject: 'Your glasses are ready',
      text: 'Hello {first_name},\n\nYour glasses are ready for pickup at {clinic_name}. We’ll check the fit when you come in.\n\n{staff_name}\n{clinic_name}',
    },
  },
  {
    key: 'contacts-ready',
    title: 'Contacts ready',
    sms: 'Hello {first_name}, your contact lenses are ready for pickup at {clinic_name}.',
    email: {
      subject: 'Your contact lenses are ready',
      text: 'Hello {first_name},\n\nYour contact lenses are ready for pickup at {clinic_name}.\n\n{staff_name}\n{clinic_name}',
    },
  },
  {
    key: 'appointment-reminder',
    title: 'Appointment reminder',
    sms: "Hello {first_name}, this is a reminder of your appointment at {clinic_name} on {date} at {time}. Please call us if you can't make it.",
    email: {
      subject: 'Your appointment on {date}',
      text: 'Hello {first_name},\n\nThis is a reminder of your appointment at {clinic_name} on {date} at {time}. Please call us if you can’t make it.\n\n{staff_name}\n{clinic_name}',
    },
  },
  {
    key: 'recall-due',
    title: 'Recall due',
    sms: "Hello {first_name}, it's time for your next visit at {clinic_name}. Please call us to schedule.",
    email: {
      subject: 'Time for your next visit',
      text: 'Hello {first_name},\n\nYour next visit at {clinic_name} is due ({recall_date}). Please call us to schedule.\n\n{staff_name}\n{clinic_name}',
    },
  },
  {
    key: 'balance-due',
    title: 'Balance due',
    sms: 'Hello {first_name}, you have a balance due at {clinic_name}. Please call us or pay at your next visit.',
    email: {
      subject: 'You have a balance due',
      text: 'Hello {first_name},\n\nYou have a balance due at {clinic_name}. Please call us or pay at your next visit.\n\n{staff_name}\n{clinic_name}',
    },
  },
] as const satisfies readonly Template[]

export const templateKeys = messageTemplates.map(({ key }) => key)

const placeholder = /\{([a-z_]+)\}/g

/** Returns the text with all known placeholders filled in. */
export function filledText(text: string, facts: TextFacts): string {
  const known: Record<string, string | null> = facts
  // A name may contain text like a placeholder, so filled-in text is not searched again.
  return text.replaceAll(placeholder, (whole, name: string) => (Object.hasOwn(known, name) ? (known[name] ?? whole) : whole))
}

/** Returns the placeholders that are left, each once: `['{date}', '{time}']`. Such a text is not sent. */
export function openPlaceholders(text: string): string[] {
  return [...new Set(text.match(placeholder) ?? [])]
}

// GSM 03.38: the characters of a text message at seven bits each. Those of the second list take two.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('\f^{}\\[~]|€')

/** The most segments of one text message. */
export const mostSegments = 6

export type SmsSize = {
  encoding: 'plain' | 'unicode'
  /** The length of the text in units of its encoding. */
  units: number
  segments: number
  /** Units of room in the last segment. */
  left: number
  /** The characters that make segments hold less, each once. */
  dear: string[]
}

/** Returns how many segments a text message takes, as telephone networks count and charge it. */
export function smsSize(text: string): SmsSize {
  const characters = Array.from(text)
  const dear = [...new Set(characters.filter((character) => !basic.has(character) && !extended.has(character)))]
  const isPlain = dear.length === 0
  // A segment never cuts a character in two, so each is placed whole.
  const widths = characters.map((character) => (isPlain ? (extended.has(character) ? 2 : 1) : character.length))
  const units = widths.reduce((sum, width) => sum + width, 0)
  const single = isPlain ? 160 : 70
  const encoding = isPlain ? 'plain' : 'unicode'
  if (units <= single) return { encoding, units, segments: units === 0 ? 0 : 1, left: single - units, dear }
  const part = isPlain ? 153 : 67
  let segments = 1
  let used = 0
  for (const width of widths) {
    if (used + width > part) {
      segments += 1
      used = 0
    }
    used += width
  }
  return { encoding, units, segments, left: part - used, dear }
}

const plainFor: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '…': '...',
  '•': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
}

/** Returns the same text with plain quotes, dashes and spaces, which cost less. */
export function plainText(text: string): string {
  return Array.from(text, (character) => plainFor[character] ?? character).join('')
}
