// Pointing at a step lights the objects that it refers to.
document.querySelectorAll(".mistake").forEach((card) => {
  const light = (step) => {
    const lit = new Set(step.dataset.lit.split(" "));
    card.querySelectorAll(".outline").forEach((one) => one.classList.toggle("on", lit.has(one.dataset.entity)));
    card.querySelectorAll(".steps li").forEach((one) => one.classList.toggle("on", one === step));
  };
  card.querySelectorAll(".steps li[data-lit]").forEach((step) => {
    for (const kind of ["pointerenter", "focus", "click"]) step.addEventListener(kind, () => light(step));
  });
});
