import { Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { storeInvoiceEndpoints as calls } from '#contract/receiving/store-invoices.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { FormDialog } from '#src/domain/forms/form-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { keptAtServer } from '../words.ts'

type Props = { vendor: { vendor_id: number; name: string }; onSaved: () => void; onClose: () => void }

/** The contacts at a vendor, and a form for a new one. */
export function ContactsDialog({ vendor, onSaved, onClose }: Props) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const [ids] = useState(() => ({ id_vendor_contact: uuidv7() }))
  const load = useCallback(
    () => device.call(calls.vendorContacts, { query: { vendor_id: String(vendor.vendor_id) } }),
    [device, vendor.vendor_id],
  )
  const { value, reload } = useLoaded(load)

  async function remove(idContact: string) {
    const answer = await device.call(calls.removeVendorContact, { params: { id: idContact } })
    if (!answer.ok) return showToast({ title: 'Contact not removed', description: answer.failure.message, tone: 'bad' })
    onSaved()
    await reload()
  }

  return (
    <FormDialog
      place={`own: contact at vendor ${vendor.vendor_id}`}
      ids={ids}
      title={`Contacts at ${vendor.name}`}
      offline={isOffline ? keptAtServer : null}
      first={{ name: '', role: '', email: '', phone: '' }}
      saveLabel="Add"
      read={(form) => (form.name.trim() === '' ? { ok: false, problems: { name: 'This field is required' } } : { ok: true, body: form })}
      send={(body, { id_vendor_contact }) =>
        device.call(calls.saveVendorContact, { body: { id_vendor_contact, vendor_id: vendor.vendor_id, ...body } })
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          {value && value.contacts.length > 0 && (
            <ul aria-label="Contacts" className="divide-y divide-line rounded-md border border-line">
              {value.contacts.map((contact) => (
                <li key={contact.id_vendor_contact} className="flex min-h-tall items-center gap-3 px-4 py-1">
                  <div className="min-w-0 flex-1">
                    <p className="truncate font-medium">
                      <bdi>{contact.name}</bdi>
                    </p>
                    <p className="truncate text-sm text-ink-2">
                      {[contact.role, contact.phone, contact.email].filter(Boolean).join(' · ')}
                    </p>
                  </div>
                  <IconButton
                    label={`Remove ${contact.name}`}
                    icon={<Trash2 size={18} aria-hidden />}
                    disabled={isOffline}
                    onClick={() => void remove(contact.id_vendor_contact)}
                  />
                </li>
              ))}
            </ul>
          )}
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            {text('name', 'Name', { required: true, maxLength: 120 })}
            {text('role', 'Role', { maxLength: 60 })}
            {text('phone', 'Phone', { type: 'tel', maxLength: 40 })}
            {text('email', 'Email', { type: 'email', maxLength: 254 })}
          </div>
        </>
      )}
    </FormDialog>
  )
}
