#!/bin/bash
# A chain of allocations. Each is an array of single nodes with one to spare: 2 nodes train, the third one waits.
# Submit it as often as the job may need an allocation. Change what CHANGE marks.
#SBATCH --job-name=line-1 --dependency=singleton --no-requeue
#SBATCH --array=0-2 --nodes=1 --ntasks-per-node=1 --time=24:00:00
# CHANGE: nodes that train, and all; the size of the array above
nodes=2:3
# CHANGE: a directory that all nodes see
shared=$HOME/$SLURM_JOB_NAME

store=$shared/$SLURM_ARRAY_JOB_ID.store
ended=$shared/$SLURM_ARRAY_JOB_ID.ended
mkdir -p "$shared"

# Task 0 hosts the store. A task that starts once that one has ended has nothing to do.
if ((SLURM_ARRAY_TASK_ID == 0)); then
    echo "$(hostname):29400" > "$store.new" && mv "$store.new" "$store"
fi
until [[ -s $store || -e $ended ]]; do sleep 2; done
[[ -e $ended ]] && exit 0

# CHANGE: the program
srun --kill-on-bad-exit=0 resiliency run --nnodes "$nodes" --nproc-per-node 2 --rdzv-endpoint "$(< "$store")" \
    --rdzv-id "$SLURM_ARRAY_JOB_ID" --node-rank "$SLURM_ARRAY_TASK_ID" -- java -jar train.jar
code=$?

if ((SLURM_ARRAY_TASK_ID == 0)); then
    touch "$ended"
    scancel --state=PENDING "$SLURM_ARRAY_JOB_ID" # nodes to spare that have not begun
    # The job has completed, or is not to be started again: nor are the allocations that wait.
    if ((code == 0 || code == 93)); then scancel --state=PENDING --user="$USER" --name="$SLURM_JOB_NAME"; fi
fi
exit $code
