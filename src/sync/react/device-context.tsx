import { createContext, use, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ConnectionState, Device, SessionState } from '#src/sync/device/device.ts'

const DeviceContext = createContext<Device | null>(null)

/** Gives the device to every screen below. */
export function DeviceProvider({ device, children }: { device: Device; children: ReactNode }) {
  return <DeviceContext value={device}>{children}</DeviceContext>
}

/** The device this app runs on. */
export function useDevice(): Device {
  const device = use(DeviceContext)
  if (!device) throw new Error('useDevice stands outside of a DeviceProvider')
  return device
}

/** One thing of who is signed in, kept up to date: `useSession((session) => session.home)`. */
export function useSession<T>(select: (session: SessionState) => T): T {
  return useStore(useDevice().session.state, select)
}

/** One thing of the connection and what waits to be sent, kept up to date. */
export function useConnection<T>(select: (connection: ConnectionState) => T): T {
  return useStore(useDevice().connection, select)
}
