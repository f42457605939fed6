import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'

type TypedNoticeProps = {
  of: { former: unknown; isLost: boolean; startOver: () => void }
  startOverLabel?: string
}

/** Says that a form holds unsaved changes from before, or that this device cannot keep them. */
export function TypedNotice({ of: { former, isLost, startOver }, startOverLabel = 'Start over' }: TypedNoticeProps) {
  return (
    <>
      {former !== null && (
        <Notice tone="info" title="We restored your unsaved changes" actions={<Button onClick={startOver}>{startOverLabel}</Button>} />
      )}
      {isLost && (
        <Notice tone="warn" title="This device can’t keep what you type">
          Save it before you leave or reload this page.
        </Notice>
      )}
    </>
  )
}
