import type { DedicatedConnection } from '../../platform/db/dedicated-connection.ts'

/**
 * Deliveries that were pending in the backup have most likely been sent since by the original workspace, so they are not sent again.
 * Admins find them in the delivery log and can resend them. Followers start at the current position, as set by the migrations.
 */
export const markInFlightDeliveries = async (connection: DedicatedConnection): Promise<void> => {
  await connection.query(`
    update deliveries set status = case when webhook_id is null then 'uncertain' else 'failed' end, claim = null, leased_until = null,
      error = '${RESTORED_MESSAGE}', updated_at = now()
    where status in ('pending', 'sending');
    update notification_alerts set sent_at = now() where sent_at is null;
    delete from notification_windows where due_at is not null`)
}

const RESTORED_MESSAGE = 'Pending when the backup was created that this workspace was restored from.'

/** Queues the tasks that were waiting or running when the backup was created. */
export const queueRestoredTasks = async (connection: DedicatedConnection): Promise<void> => {
  await connection.query(`
    select graphile_worker.add_job(identifier => t.identifier, payload => t.payload, queue_name => t.queue_name, run_at => t.run_at,
      max_attempts => t.max_attempts, job_key => t.key, priority => t.priority)
    from restored_tasks t`)
}
