import { useEffect, useState } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { notCounted } from '#src/features/app/login/model/sign-in-words.ts'
import { createScanner } from '#src/device/scanner.ts'
import { pageSound } from '#src/device/sound.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/**
 * A label has four digits or more and no lowercase letters. Other text is a name or password that a password manager
 * types for a person. A few digits in a secret field are a PIN.
 */
const label = /^(?=(.*\d){4})[0-9A-Z]+(-[0-9A-Z]+)*$/
const pin = /^\d{1,8}$/

export function isLabel(text: string, field: HTMLElement | null): boolean {
  if (field === null) return true
  if (field instanceof HTMLInputElement && field.type === 'password' && pin.test(text)) return false
  return label.test(normaliseCode(text)) && text === text.toUpperCase()
}

/** Answers a scan while nobody is signed in, so that no scan is lost without a message. */
export function RefusedScans() {
  const [refused, setRefused] = useState(0)
  useEffect(() => {
    const scanner = createScanner({ target: window, clean: normaliseCode, isLabel })
    scanner.subscribe(() => {
      setRefused((before) => before + 1)
      const sound = pageSound()
      // The scanner's keys count as the press that a browser wants before a page may play sound.
      void sound.open().then(() => sound.play('not-recorded'))
    })
    return () => scanner.close()
  }, [])
  return (
    <div role="alert" data-testid="refused-scans">
      {refused > 0 && (
        <Notice tone="bad" title={notCounted}>
          {refused > 1 && `${formatNumberOf(refused, 'scan')} since this page was opened.`}
        </Notice>
      )}
    </div>
  )
}
