"""Who does the work of a build: this process, a pool of processes, or a Ray cluster. All give the same results."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from typing import Any, NamedTuple, Protocol

from mereo.errors import BadInput, Defect, MereoError, MissingExtra, NoScene

__all__ = ["Crew", "Done", "LocalCrew", "RayCrew", "Task", "in_order"]

_CRASHES = 2
"""How often a task may take its worker down with it before it is given up."""
_DIED = f"the worker process died {_CRASHES + 1} times, perhaps for want of memory"
_UNBEGUN = 'no worker process can begin: a script has several only below a line `if __name__ == "__main__":`'
_PATIENCE = 5
"""Seconds in which a cluster must answer."""


class Task(NamedTuple):
    """A call to be made by a worker; the function and its arguments are picklable."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Done(NamedTuple):
    """How a task ended: with a result, with the reason why nobody could do it, or with what went wrong."""

    task: Task
    result: Any = None
    refusal: str | None = None
    """Why what the task asks for cannot be."""
    failure: str | None = None
    """What went wrong, which may be right on the next try."""
    trace: str | None = None
    """Where, if it is a mistake of ours."""

    def check(self, advice: str) -> None:
        """Raise what went wrong, if anything did. advice : what is still there, and how to go on"""
        if self.failure is None:
            return
        sentence = f"{self.task.name}: {self.failure}; {advice}"
        if self.trace is None:
            raise MereoError(sentence)
        defect = Defect(sentence)
        defect.add_note(self.trace)
        raise defect


class Crew(Protocol):
    """Workers that take tasks and give results in whatever order they come."""

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """Do all tasks; one that fails does not stop the others.

        A deque is emptied from its left end, and may be filled further while results come.
        """


def attempt(task: Task) -> Done:
    """Do a task here and now. What went wrong is told as text: not every error can be sent to another process."""
    try:
        return Done(task, task.function(*task.arguments))
    except NoScene as error:
        return Done(task, refusal=str(error))
    except MissingExtra:
        raise  # the other tasks would lack it, too
    except MereoError as error:
        return Done(task, failure=str(error))
    except MemoryError:
        return Done(task, failure="there is not enough memory")
    except Exception as error:  # noqa: BLE001 — told, with the task's name, by whoever asked for it
        if isinstance(error, OSError) and error.strerror is not None:
            # A broken disk or a forbidden folder is nobody's mistake.
            return Done(task, failure=f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
        return Done(task, failure=f"{type(error).__name__}: {error}", trace=traceback.format_exc())


def _queue(tasks: Iterable[Task]) -> deque[Task]:
    return tasks if isinstance(tasks, deque) else deque(tasks)


def _begin_work(begun: Event) -> None:
    """Have this worker end at once and silently by Ctrl-C, and when the process that started it is gone.

    begun : set as soon as any worker comes so far; before that it has run the script of whoever wants workers
    """
    begun.set()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Where workers are started: a Ctrl-C meets them when they have begun, not in the midst of importing."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool(ProcessPoolExecutor):
    """Processes beside this one."""

    def __init__(self, workers: int):
        context = multiprocessing.get_context("spawn")
        self._begun = context.Event()
        super().__init__(workers, mp_context=context, initializer=_begin_work, initargs=(self._begun,))

    def check(self) -> None:
        """Raise where no process ever began, when one has died: then none ever will."""
        if not self._begun.is_set():
            raise MereoError(_UNBEGUN) from None


class LocalCrew:
    """This process alone, or a pool of processes beside it.

    ahead : whether as many tasks again are handed out before anybody is free for them. Short ones need that; of long
        ones the next is better chosen when its turn has come
    """

    def __init__(self, workers: int = 1, *, ahead: bool = True):
        self.workers, self.ahead = workers, ahead

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """Do all tasks; a worker that dies is replaced, and the task that killed three of them is given up."""
        waiting = _queue(tasks)
        if self.workers <= 1:
            while waiting:
                yield attempt(waiting.popleft())
            return
        crashes: dict[str, int] = {}
        while waiting:
            yield from self._until_crash(waiting, crashes)

    def _until_crash(self, waiting: deque[Task], crashes: dict[str, int]) -> Generator[Done, None, None]:
        """Work with one pool until all is done or a worker dies; then what was under way waits again."""
        # After a crash one at a time, so that the one to blame is known.
        width = 1 if crashes else self.workers
        with _Pool(width) as pool:
            running: dict[Future[Done], Task] = {}
            try:
                while waiting or running:
                    while waiting and len(running) < width + (width if self.ahead and not crashes else 0):
                        # Submitting to a pool that has just broken raises: the task must still be waiting then.
                        with _interrupts_later():
                            running[pool.submit(attempt, waiting[0])] = waiting[0]
                        waiting.popleft()
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        done = future.result()
                        del running[future]
                        crashes.pop(done.task.name, None)
                        yield done
                        if not crashes and width < self.workers:
                            waiting.extendleft(running.values())
                            return
            except BrokenProcessPool:
                pool.check()
                for task in running.values():
                    crashes[task.name] = crashes.get(task.name, 0) + 1
                    if crashes[task.name] > _CRASHES and width == 1:
                        del crashes[task.name]
                        yield Done(task, failure=_DIED)
                    else:
                        waiting.appendleft(task)
            except KeyboardInterrupt:
                # It ends the workers, too. Who leaves before the pool has noticed may find its pipes closed at exit.
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def in_order(function: Callable[[Any], Any], items: Iterable[Any], *, workers: int) -> Generator[Any, None, None]:
    """What a function makes of each item, in their order, while further items are asked for as workers become free.

    For work that is part of something larger: what goes wrong with one item ends it all.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    with _Pool(workers) as pool:
        running: deque[Future[Any]] = deque()
        try:
            for item in items:
                with _interrupts_later():
                    running.append(pool.submit(function, item))
                while running and (running[0].done() or len(running) > 2 * workers):
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        except BrokenProcessPool:
            pool.check()
            raise MereoError("a worker process died, perhaps for want of memory") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _check_reachable(address: str) -> None:
    """Complain at once of an address at which nobody listens: Ray itself would try for half a minute."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
        except (OSError, OverflowError, ValueError) as error:
            raise BadInput(f"nobody listens at '{address}' ({error})", field="--ray") from None


class RayCrew:
    """A Ray cluster. The folder that results go to must be one that all its machines share.

    gpus : whether each task wants a GPU for itself, where the cluster has any
    """

    def __init__(self, address: str, *, gpus: bool = False):
        try:
            import ray
        except ImportError:
            raise MissingExtra("working on a Ray cluster", "ray") from None
        self.ray: Any = ray
        if not ray.is_initialized():
            _check_reachable(address)
            try:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            except (OSError, RuntimeError, ValueError) as error:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                raise BadInput(f"'{address}' is no Ray cluster that can be joined ({reason})", field="--ray") from None
        self.gpus = 1 if gpus and self.ray.cluster_resources().get("GPU") else 0

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        """Do all tasks; Ray repeats one whose worker died."""
        ray = self.ray
        remote = ray.remote(max_retries=_CRASHES, num_gpus=self.gpus)(attempt)
        waiting = _queue(tasks)
        running: dict[Any, Task] = {}
        width = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        try:
            while waiting or running:
                while waiting and len(running) < width:
                    task = waiting.popleft()
                    running[remote.remote(task)] = task
                ready, _ = ray.wait(list(running), num_returns=1)
                task = running.pop(ready[0])
                try:
                    yield ray.get(ready[0])
                except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
                    yield Done(task, failure=_DIED)
        finally:
            for reference in running:  # nobody waits for these any more
                ray.cancel(reference, force=True)
