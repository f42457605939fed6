import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'

type TypedNoticeProps = {
  of: { former: unknown; isLost: boolean; startAnew: () => void }
  anew?: string
}

/** That a form holds what was typed before and not saved, and where this device cannot keep it, that. */
export function TypedNotice({ of: { former, isLost, startAnew }, anew = 'Start over' }: TypedNoticeProps) {
  return (
    <>
      {former !== null && (
        <Notice tone="info" title="We restored your unsaved changes" actions={<Button onClick={startAnew}>{anew}</Button>} />
      )}
      {isLost && (
        <Notice tone="warn" title="This device can’t keep what you type">
          Save it before you leave or reload this page.
        </Notice>
      )}
    </>
  )
}
