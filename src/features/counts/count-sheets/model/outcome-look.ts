import { Ban, Check, CopyCheck, HelpCircle, PackageOpen, ScanLine, Undo2, type LucideIcon } from 'lucide-react'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import type { Tone } from '#src/ui/tone.ts'

/** The look of each outcome: word, icon and color always together, and what to do with the frame. */
export type OutcomeLook = { word: string; icon: LucideIcon; tone: Tone; advice: string | null }

export const outcomeLooks: Record<ScanOutcome, OutcomeLook> = {
  counted: { word: 'Counted', icon: Check, tone: 'good', advice: null },
  duplicate: { word: 'Already counted', icon: CopyCheck, tone: 'warn', advice: 'Put it back. The count didn’t change.' },
  'set-aside': { word: 'Set aside', icon: PackageOpen, tone: 'aside', advice: 'Put this frame in the set-aside tray.' },
  unknown: { word: 'No match', icon: HelpCircle, tone: 'bad', advice: 'Saved under Unknown — try the store tag or keep going.' },
  'model-only': { word: 'Scan store tag', icon: ScanLine, tone: 'info', advice: 'That’s the UPC. Scan the store tag instead.' },
  undone: { word: 'Undone', icon: Undo2, tone: 'neutral', advice: null },
  'not-recorded': { word: 'Not recorded', icon: Ban, tone: 'bad', advice: null },
}

/** Returns true when the outcome needs an action and interrupts. A counted frame waits for a pause. */
export function isUrgent(outcome: ScanOutcome): boolean {
  return outcome !== 'counted' && outcome !== 'undone'
}
