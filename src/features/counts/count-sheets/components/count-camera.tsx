import { normaliseCode } from '#contract/core/codes.ts'
import { CameraPanel } from '#src/camera/camera-panel.tsx'
import { pageScanner } from '#src/device/page-scanner.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

/** The camera as the scanner of a count. It stays open for one label after another. */
export function CountCamera({ onClose }: { onClose: () => void }) {
  const device = useDevice()
  return (
    <div className="@min-[42rem]/count:col-span-2">
      <CameraPanel
        isKnown={(code) => device.frames.find(code) !== null}
        onScan={(code) => pageScanner(normaliseCode).take(code)}
        onClose={onClose}
      />
    </div>
  )
}
