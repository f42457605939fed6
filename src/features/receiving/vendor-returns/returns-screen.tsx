import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { VendorReturnList } from './components/vendor-return-list.tsx'

const NewReturnDialog = fetchedDialog(async () => (await import('./components/new-return-dialog.tsx')).NewReturnDialog)

const tabs = [
  { key: 'patients', label: 'Patient returns' },
  { key: 'open', label: 'Vendor returns' },
  { key: 'done', label: 'Done' },
] as const
type Tab = (typeof tabs)[number]['key']

type Props = {
  /** The tab in the address. An unknown one shows the first tab. */
  tab: string | undefined
  onTab: (tab: Tab) => void
  /** The list of patient returns. It belongs to another feature, so the route passes it in. */
  patientReturns: ReactNode
  onOpenVendor: (id: string) => void
}

/** /returns: the patients' returns, and the returns to vendors until their credit arrives. */
export function ReturnsScreen({ tab: asked, onTab, patientReturns, onOpenVendor }: Props) {
  const permissions = useSession((session) => session.home?.permissions)
  // A user who may not read vendor invoices has one list and no tabs.
  const shown = permissions?.includes('vendor-invoice.read') === true ? tabs : tabs.slice(0, 1)
  const tab = shown.find(({ key }) => key === asked)?.key ?? 'patients'
  const isOffline = useConnection((connection) => connection.online) === false
  const [isNew, setNew] = useState(false)
  const list = tab === 'patients' ? patientReturns : <VendorReturnList key={tab} tab={tab} onOpen={onOpenVendor} />
  return (
    <div className="fills-page">
      <PageHeader
        title="Returns"
        actions={
          tab !== 'patients' &&
          permissions?.includes('vendor-invoice.write') === true && (
            <Button variant="primary" icon={<Plus size={18} aria-hidden />} disabled={isOffline} onClick={() => setNew(true)}>
              New return
            </Button>
          )
        }
      >
        {tab === 'patients' ? 'Patient returns' : 'Frames going back to vendors'}
      </PageHeader>
      {shown.length > 1 ? (
        <Tabs label="Returns" tabs={shown} selected={tab} onSelect={onTab} fill>
          {list}
        </Tabs>
      ) : (
        list
      )}
      {isNew && <NewReturnDialog onClose={() => setNew(false)} onMade={onOpenVendor} />}
    </div>
  )
}
