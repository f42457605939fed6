import { Share, SquarePlus } from 'lucide-react'

/** Explains how to install the app in a browser that offers no button for it. */
export function ManualSteps() {
  return (
    <ol className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-2">
      <li className="flex items-center gap-2">
        1. Tap <Share size={18} aria-hidden /> Share
      </li>
      <li className="flex items-center gap-2">
        2. Choose <SquarePlus size={18} aria-hidden /> Add to Home Screen
      </li>
    </ol>
  )
}
